/** A receiver of OTLP over HTTP in JSON: keeps the spans and metrics that programs export to it. */

import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { until } from '../../scripts/machine/until';
import { listen } from './listen';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span, as tests look at it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The process that made it. */
  readonly pid: unknown;
}

interface Resource {
  readonly resource: { readonly attributes: readonly Attribute[] };
}

interface TracesMessage {
  readonly resourceSpans?: readonly (Resource & {
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes' | 'pid'> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  })[];
}

interface MetricsMessage {
  readonly resourceMetrics?: readonly (Resource & {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly { readonly name: string }[];
    }[];
  })[];
}

const recordOf = (attributes: readonly Attribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const pidOf = ({ resource }: Resource): unknown => recordOf(resource.attributes)['process.pid'];

/** Starts a receiver at a free port; it lasts until the last test of the file. */
export const startReceiver = async () => {
  const spans: ReceivedSpan[] = [];
  /** The names of the metrics of each process. */
  const metrics = new Map<unknown, Set<string>>();
  /** The headers of requests to any other path, such as a handler's own. */
  const otherRequests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const texts: string[] = [];

  const takeTraces = ({ resourceSpans = [] }: TracesMessage): void => {
    for (const each of resourceSpans) {
      for (const span of each.scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, attributes: recordOf(span.attributes), pid: pidOf(each) });
      }
    }
  };
  const takeMetrics = ({ resourceMetrics = [] }: MetricsMessage): void => {
    for (const each of resourceMetrics) {
      const names = metrics.get(pidOf(each)) ?? new Set();
      metrics.set(pidOf(each), names);
      for (const { name } of each.scopeMetrics.flatMap((scope) => scope.metrics)) names.add(name);
    }
  };
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    response.setHeader('Content-Type', 'application/json');
    if (!url.startsWith('/v1/')) {
      otherRequests.push({ path: url, headers });
      response.end('{"keys":[]}');
      return;
    }
    const message = await json(request);
    texts.push(JSON.stringify(message));
    if (url === '/v1/traces') takeTraces(message as TracesMessage);
    else takeMetrics(message as MetricsMessage);
    response.end('{}');
  });
  const origin = await listen(server);
  return {
    origin,
    metrics,
    otherRequests,
    /** All that has been received, as text. */
    text: () => texts.join('\n'),
    /** Waits for the whole trace of a request: its server span comes last. */
    traceOf: (traceId: string): Promise<readonly ReceivedSpan[]> =>
      until('the trace is exported', () => {
        const found = spans.filter((span) => span.traceId === traceId);
        return found.some(({ kind }) => kind === 2) ? found : undefined;
      }),
    /** The number of spans so far. */
    count: () => spans.length,
    /** The environment of a program that exports to it, at once. */
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_METRIC_EXPORT_TIMEOUT: '200',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    },
    /** Answers no more. */
    leave(): void {
      server.closeAllConnections();
      server.close();
    },
  };
};
