/** What Prometheus may scrape. */

import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  observe(operation: string, method: string, status: number, seconds: number): void;
  /** The exposition text and its media type. */
  expose(): Promise<{ readonly mediaType: string; readonly text: string }>;
}

/**
 * Sets the metrics up.
 * @param process whether those of the process (memory, event loop, garbage collection) are among them
 */
export const httpMetrics = (options: { readonly process: boolean }): Metrics => {
  const registry = new Registry();
  if (options.process) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  });
  return {
    observe: (operation, method, status, seconds) =>
      requests.observe({ operation, method, status: String(status) }, seconds),
    expose: async () => ({ mediaType: registry.contentType, text: await registry.metrics() }),
  };
};
