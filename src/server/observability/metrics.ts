/** The metrics for Prometheus: of this process, or of all where there are several. */

import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { Channel } from '../processes/ipc';
import type { ReadMetrics } from './telemetry';

/** The scope of the metrics. */
export interface MetricsOptions {
  /** Includes those of the process: memory, event loop, garbage collection. */
  readonly process: boolean;
  /** The primary of a worker: it collects the metrics of all workers. */
  readonly primary?: Channel;
}

/** The durations of requests with the same labels. */
export interface DurationSeries {
  observe(seconds: number): void;
}

/** A document and its served version. */
export interface DocumentInfo {
  readonly document: string;
  readonly state: string;
  /** The served version; empty where none is. */
  readonly version: string;
}

export interface Metrics {
  /** Begins a series of requests; to be called once for each combination. */
  requests(operation: string, method: string, status: number): DurationSeries;
  /** Counts a request that was refused because more came than can be served. */
  countShed(): void;
  /** Counts a request that was refused before a service saw it. */
  countRefused(status: number): void;
  /** Shows the version that is served from now on, and the state of each document. */
  showDocuments(version: string, documents: readonly DocumentInfo[]): void;
  /** Shows whether the last reading of the documents took up all of them. */
  showReload(isSuccessful: boolean): void;
  /** Reads the metrics of this process. */
  read: ReadMetrics;
  /**
   * The exposition text and its media type.
   * @throws Error where there are several processes and the one that knows them all does not respond
   */
  expose(): Promise<{ readonly mediaType: string; readonly text: string }>;
}

/** The requests to a worker, and to the primary. */
const own = 'own metrics';
const all = 'all metrics';

/** Longer than the primary waits for the workers. */
const allMilliseconds = 4000;

/** Gives a worker the metrics of all workers that there are when it asks. */
export const gatherMetrics = (worker: Channel, workers: () => readonly Channel[]): void => {
  worker.handle(all, async () => {
    // One that has just exited, or hangs, must not hide the others.
    const results = await Promise.allSettled(workers().map((each) => each.request(own)));
    const known = results.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value as object] : [],
    );
    const registry = AggregatorRegistry.aggregate(known);
    new Gauge({
      name: 'metrics_unanswered_processes',
      help: 'Processes that have not responded, and whose metrics are missing',
      registers: [registry],
    }).set(results.length - known.length);
    return registry.metrics();
  });
};

/** Sets the metrics up. */
export const httpMetrics = (options: MetricsOptions): Metrics => {
  const { primary } = options;
  const registry = new Registry();
  if (options.process) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  });
  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests that were refused because more came than could be served',
    registers: [registry],
  });
  const refused = new Counter({
    name: 'http_requests_refused_total',
    help: 'Requests that were refused before a service saw them: malformed, too large, too slow or for another host',
    labelNames: ['status'],
    registers: [registry],
  });
  primary?.handle(own, () => registry.getMetricsAsJSON());
  const versions = new Gauge({
    name: 'documents_version',
    help: 'Processes that serve this version of documents and handlers',
    labelNames: ['version'],
    registers: [registry],
  });
  const documentInfo = new Gauge({
    name: 'document_info',
    help: 'Processes that serve this version of the document: current, faulty (in part), kept (the last good one) or unserved',
    labelNames: ['document', 'state', 'version'],
    registers: [registry],
  });
  const lastReload = new Gauge({
    name: 'config_last_reload_successful',
    help: 'Whether the last reading of the documents took up all of them',
    registers: [registry],
    aggregator: 'min',
  });
  return {
    requests: (operation, method, status) =>
      requests.labels({ operation, method, status: String(status) }),
    countShed: () => shed.inc(),
    countRefused: (status) => refused.inc({ status }),
    showDocuments(version, documents) {
      versions.reset();
      versions.set({ version }, 1);
      documentInfo.reset();
      for (const { document, state, version: own } of documents) {
        documentInfo.set({ document, state, version: own }, 1);
      }
    },
    showReload: (isSuccessful) => lastReload.set(Number(isSuccessful)),
    read: () => registry.getMetricsAsJSON(),
    expose: async () => ({
      mediaType: registry.contentType,
      text:
        primary === undefined
          ? await registry.metrics()
          : String(await primary.request(all, undefined, allMilliseconds)),
    }),
  };
};
