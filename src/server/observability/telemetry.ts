/** Traces and metrics for a receiver of OTLP, by OpenTelemetry's own SDK; its packages are loaded only where its variables ask for it. */

import { setTimeout } from 'node:timers/promises';
import type { BatchObservableResult } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { withOptionalPackage } from '../../base/optional-package';
import type { Config } from '../config/config';
import { firstOfEachSecond, makeSpans } from './spans';

type MetricValues = MetricObjectWithValues<MetricValue<string> & { readonly metricName?: string }>;

/** Reads the metrics of this process. */
export type ReadMetrics = () => Promise<readonly MetricValues[]>;

const load = <Module>(name: string, loadIt: () => Promise<Module>): Promise<Module> =>
  withOptionalPackage(`@opentelemetry/${name}`, 'OTEL_EXPORTER_OTLP_ENDPOINT', loadIt);

/**
 * Starts the export as the variables of OpenTelemetry say (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_TRACES_SAMPLER`, …); undefined where
 * they name no receiver, or `OTEL_SDK_DISABLED` is true.
 * @param environment - that of the process, which the SDK reads by itself
 * @throws MissingPackage where a package is not installed
 */
export const startTelemetry = async (
  environment: NodeJS.ProcessEnv,
  { otlpHeaders }: Pick<Config, 'otlpHeaders'>,
) => {
  const endpointOf = (signal: string) => environment[`OTEL_EXPORTER_OTLP${signal}_ENDPOINT`];
  const stopMilliseconds = 2000;
  const isDisabled = environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
  if (isDisabled || !['', '_TRACES', '_METRICS'].some(endpointOf)) return undefined;
  // The value may be that of a file.
  if (otlpHeaders !== undefined) environment['OTEL_EXPORTER_OTLP_HEADERS'] = otlpHeaders;
  const api = await load('api', () => import('@opentelemetry/api'));
  const { NodeSDK, resources } = await load('sdk-node', () => import('@opentelemetry/sdk-node'));
  const { UndiciInstrumentation } = await load(
    'instrumentation-undici',
    () => import('@opentelemetry/instrumentation-undici'),
  );
  const { AsyncLocalStorageContextManager } = await load(
    'context-async-hooks',
    () => import('@opentelemetry/context-async-hooks'),
  );
  const contextManager = new AsyncLocalStorageContextManager();
  const sdk = new NodeSDK({
    contextManager,
    // Unless OTEL_SERVICE_NAME has another one.
    resource: resources.resourceFromAttributes({ 'service.name': 'spec-first' }),
    // What is fetched for a request, by handlers too, carries its trace on.
    instrumentations: [new UndiciInstrumentation({ requireParentforSpans: true })],
    // The log goes to the standard output.
    logRecordProcessors: [],
  });
  sdk.start();
  return {
    ...makeSpans(api, {
      // The traces that a process begins in a second, unless `OTEL_TRACES_SAMPLER` decides otherwise.
      mayBegin: environment['OTEL_TRACES_SAMPLER'] ? () => true : firstOfEachSecond(10),
      // Before Node.js 24 following one request slows every promise of all.
      onIdle: () => contextManager.disable(),
    }),
    /** Exports metrics under the names that Prometheus has for them, and logs problems of the export. */
    async connect(log: Logger, read: ReadMetrics): Promise<void> {
      const report = (level: 'error' | 'warn') => (message: string) =>
        log[level]({ problem: message }, 'Telemetry cannot be exported');
      const ignore = (): void => undefined;
      const others = { info: ignore, debug: ignore, verbose: ignore };
      api.diag.setLogger(
        { error: report('error'), warn: report('warn'), ...others },
        { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
      );
      const meter = api.metrics.getMeter('spec-first');
      const observe = (name: string, { type, help }: MetricValues) =>
        String(type) === 'gauge'
          ? meter.createObservableGauge(name, { description: help })
          : meter.createObservableCounter(name, { description: help });
      const instruments = new Map(
        (await read()).flatMap((metric) => {
          // A histogram has its buckets, their sum and their count, as Prometheus names them.
          const ends = String(metric.type) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
          const names = ends.map((end) => metric.name + end);
          return names.map((name) => [name, observe(name, metric)] as const);
        }),
      );
      const observeAll = async (result: BatchObservableResult): Promise<void> => {
        const metrics = await read();
        const values = metrics.flatMap((metric) =>
          metric.values.map((value) => ({ ...value, instrument: value.metricName ?? metric.name })),
        );
        for (const { instrument, value, labels } of values) {
          const found = instruments.get(instrument);
          if (found !== undefined) result.observe(found, value, labels);
        }
      };
      meter.addBatchObservableCallback(observeAll, [...instruments.values()]);
    },
    /** Exports what waits, within two seconds. */
    async stop(): Promise<void> {
      const late = setTimeout(stopMilliseconds, undefined, { ref: false });
      // What cannot be exported has been logged.
      await Promise.race([sdk.shutdown().catch(() => undefined), late]);
    },
  };
};

/** The export of this process: its spans and its metrics. */
export type Telemetry = NonNullable<Awaited<ReturnType<typeof startTelemetry>>>;
