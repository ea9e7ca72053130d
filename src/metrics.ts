/** What Prometheus may scrape: of this process, or of all where there are several. */

import { AggregatorRegistry, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Channel } from './worker-channel';

export interface Metrics {
  observe(operation: string, method: string, status: number, seconds: number): void;
  /**
   * The exposition text and its media type.
   * @throws Error where there are several processes and the one that knows them all does not answer
   */
  expose(): Promise<{ readonly mediaType: string; readonly text: string }>;
}

type Label = 'operation' | 'method' | 'status';

/** What a worker is asked, and what it asks the primary. */
const own = 'own metrics';
const all = 'all metrics';

// A process is a worker for life, or never; it learns which before it starts to serve.
let primary: Channel | undefined;

/** Has the metrics made from now on tell of all workers, and the primary of this one's. */
export const shareMetrics = (channel: Channel): void => {
  primary = channel;
};

/** Lets a worker have the metrics of those that are given when it asks. */
export const gatherMetrics = (asker: Channel, workers: () => readonly Channel[]): void => {
  asker.answer(all, async () => {
    // One that has just died, or hangs, must not hide the others.
    const given = await Promise.allSettled(workers().map((worker) => worker.ask(own)));
    const known = given.flatMap((one) => (one.status === 'fulfilled' ? [one.value as object] : []));
    return AggregatorRegistry.aggregate(known).metrics();
  });
};

/**
 * Sets the metrics up.
 * @param process whether those of the process (memory, event loop, garbage collection) are among them
 */
export const httpMetrics = (options: { readonly process: boolean }): Metrics => {
  const registry = new Registry();
  if (options.process) collectDefaultMetrics({ register: registry });
  const requests = new Histogram<Label>({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  });
  const channel = primary;
  channel?.answer(own, () => registry.getMetricsAsJSON());
  // Finding the series of some labels takes longer than observing.
  const series = new Map<string, ReturnType<typeof requests.labels>>();
  const seriesOf = (operation: string, method: string, status: string) => {
    const name = `${operation} ${method} ${status}`;
    const known = series.get(name);
    if (known !== undefined) return known;
    const one = requests.labels({ operation, method, status });
    series.set(name, one);
    return one;
  };
  return {
    observe: (operation, method, status, seconds) =>
      seriesOf(operation, method, String(status)).observe(seconds),
    expose: async () => ({
      mediaType: registry.contentType,
      text: channel === undefined ? await registry.metrics() : String(await channel.ask(all)),
    }),
  };
};
