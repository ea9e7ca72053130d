/** The metrics for Prometheus: of this process, or of all where there are several. */

import cluster from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import type { JobTurn } from '../../host/lifetime';
import type { Outcome } from '../../http/exchange';
import { databaseFailureCode } from '../../storage/connections/database-errors';
import type { Load, Watch } from '../../storage/connections/load';
import type { ReadMetrics } from './telemetry';

/**
 * The scope of the metrics: those of requests alone, with those of the process (memory, event loop, garbage collection), or both of
 * all workers, of which this process is one.
 */
export type MetricsScope = 'requests' | 'process' | 'workers';

/** The request of a worker to the primary, and the type of the response. */
const metricsOfAll = 'metrics of all workers';

/** Lets the primary respond to workers that ask for the metrics of all. */
export const gatherMetrics = (): void => {
  const registry = new AggregatorRegistry();
  cluster.on('message', async (worker, message: unknown) => {
    if (message !== metricsOfAll) return;
    const text = await registry.clusterMetrics().catch(() => undefined);
    // A worker that ended needs no response. Without a function the failure would be thrown.
    worker.send({ type: metricsOfAll, text }, () => undefined);
  });
};

const askForMetrics = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const take = (message: unknown): void => {
      const { type, text } = Object(message) as Readonly<Record<string, unknown>>;
      if (type !== metricsOfAll) return;
      process.off('message', take);
      if (typeof text === 'string') resolve(text);
      else reject(new Error('A worker does not respond'));
    };
    process.on('message', take);
    cluster.worker?.send(metricsOfAll);
  });

/** The gauges of the parts of the server: name, label, what it shows of a part, how processes add up. */
const gauges = [
  ['queue_waiting', 'queue', 'waiting', 'sum', 'What waits in a queue'],
  ['queue_oldest_age_seconds', 'queue', 'oldestSeconds', 'max', 'Wait of the oldest in a queue'],
  ['pool_connections_in_use', 'pool', 'inUse', 'sum', 'Connections of a pool in use'],
  ['pool_connections_idle', 'pool', 'idle', 'sum', 'Connections of a pool not in use'],
  ['pool_connections_max', 'pool', 'most', 'sum', 'The most connections of a pool'],
] as const;

const showLoad = (registers: [Registry]): Watch => {
  const parts = new Map<string, () => Load>();
  for (const [name, label, measure, aggregator, help] of gauges) {
    new Gauge({
      ...{ name, help, aggregator, registers, labelNames: [label] },
      collect() {
        for (const [part, read] of parts) {
          const value = read()[measure];
          if (value !== undefined) this.set({ [label]: part }, value);
        }
      },
    });
  }
  return (part, read) => void parts.set(part, read);
};

/** Sets the metrics up. */
export const httpMetrics = (scope: MetricsScope) => {
  const ofAllWorkers = scope === 'workers';
  // In a worker it responds to the primary, which asks all.
  const registry = ofAllWorkers ? new AggregatorRegistry<PrometheusContentType>() : new Registry();
  if (ofAllWorkers) AggregatorRegistry.setRegistries(registry);
  const registers: [Registry] = [registry];
  if (scope !== 'requests') collectDefaultMetrics({ register: registry });
  // An average of percentiles would hide the one process that is late.
  for (const percentile of ['p50', 'p90', 'p99']) {
    const lag = registry.getSingleMetric(`nodejs_eventloop_lag_${percentile}_seconds`);
    Object.assign(lag ?? {}, { aggregator: 'max' });
  }
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  let inFlight = 0;
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that are being served; the one that asks is among them',
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['service', 'operation', 'method', 'status', 'rule'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers,
  });
  const deprecated = counter(
    'http_deprecated_requests_total',
    'Calls of deprecated operations by the kind of the credential',
    ...['service', 'operation', 'credential'],
  );
  const databaseFailures = counter(
    'database_errors_total',
    'Requests that failed because the database did, by its error code',
    'code',
  );
  const unfit = counter(
    'stored_items_unfit_total',
    'Stored items that do not fit the document, each time that one is read',
    ...['service', 'collection'],
  );
  const ofJobs = ['service', 'job'];
  const turns = counter('jobs_total', 'Turns of jobs', ...ofJobs);
  const failedTurns = counter('jobs_failed_total', 'Turns of jobs that failed', ...ofJobs);
  const jobSeconds = counter('jobs_seconds_total', 'Seconds that turns of jobs took', ...ofJobs);
  const lastSuccess = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'Time of the last turn of a job that did not fail',
    labelNames: ofJobs,
    registers,
    aggregator: 'max',
  });
  const shed = counter(
    'http_requests_shed_total',
    'Requests that were refused because more came than could be served',
  );
  const refused = counter(
    'http_requests_refused_total',
    'Requests that were refused before a service saw them: malformed, too large, too slow or for another host',
    'status',
  );
  const versions = new Gauge({
    name: 'documents_version',
    help: 'Processes that serve this version of documents and handlers',
    labelNames: ['version'],
    registers,
  });
  const documentInfo = new Gauge({
    name: 'document_info',
    help: 'Processes that serve this version of the document: current, faulty (in part), kept (the last good one) or unserved',
    labelNames: ['document', 'state', 'version'],
    registers,
  });
  const lastReload = new Gauge({
    name: 'config_last_reload_successful',
    help: 'Whether the last reading of the documents took up all of them',
    registers,
    aggregator: 'min',
  });
  return {
    watch: showLoad(registers),
    requests(labels: {
      /** The service and its operation; `none` where no operation was reached. */
      readonly service: string;
      readonly operation: string;
      readonly method: string;
      readonly status: string;
      /** The code of the failure that the response reports; there is none where it reports none. */
      readonly rule?: string;
    }): (seconds: number, outcome: Outcome) => void {
      const { service, operation, status } = labels;
      const series = requests.labels({ ...labels });
      return (seconds, { operation: reached, caller, failure }) => {
        series.observe(seconds);
        const code = status === '503' ? databaseFailureCode(failure?.cause) : undefined;
        if (code !== undefined) databaseFailures.inc({ code });
        if (!reached?.deprecated) return;
        deprecated.inc({ service, operation, credential: caller?.kind ?? 'none' });
      };
    },
    countInFlight(change: 1 | -1): void {
      inFlight += change;
    },
    /** Makes what counts the items of a collection that are read and do not fit the document. */
    unfitItems(service: string, collection: string): () => void {
      // It is there before the first one: a rate begins with the second value.
      unfit.inc({ service, collection }, 0);
      return () => unfit.inc({ service, collection });
    },
    countTurn({ service, job, seconds, hasFailed }: JobTurn): void {
      const labels = { service, job };
      turns.inc(labels);
      failedTurns.inc(labels, Number(hasFailed));
      jobSeconds.inc(labels, seconds);
      if (!hasFailed) lastSuccess.set(labels, Date.now() / 1000);
    },
    /** Counts a request that was refused because more came than can be served. */
    countShed: (): void => shed.inc(),
    countRefused: (status: number): void => refused.inc({ status }),
    showDocuments(
      version: string,
      // The served version is empty where none is.
      documents: readonly Readonly<Record<'document' | 'state' | 'version', string>>[],
    ): void {
      versions.reset();
      versions.set({ version }, 1);
      documentInfo.reset();
      for (const info of documents) documentInfo.set({ ...info }, 1);
    },
    showReload: (isSuccessful: boolean): void => lastReload.set(Number(isSuccessful)),
    read: (() => registry.getMetricsAsJSON()) satisfies ReadMetrics,
    /**
     * Gives the exposition text and its media type.
     * @throws Error where there are several processes and one of them does not respond
     */
    expose: async () => ({
      mediaType: registry.contentType,
      text: await (ofAllWorkers ? askForMetrics() : registry.metrics()),
    }),
  };
};

export type Metrics = ReturnType<typeof httpMetrics>;
