/**
 * Spans of requests, of the parts of their work and of statements, with the attributes of OpenTelemetry's semantic conventions (HTTP and
 * database spans, 1.29 and later). Queries, headers and values carry secrets and are left out.
 */

import type { Attributes, Context, Span, SpanOptions } from '@opentelemetry/api';
import type { Outcome, Trace, TracedPart } from '../../http/exchange';
import { splitTarget } from '../../http/request';
import type { StatementListener } from '../../storage/connections/database-driver';

/** The methods that may name spans; any other is named by `HTTP`, since clients invent them. */
const knownMethods: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH QUERY'.split(' '),
);

const spanName = (method: string): string => (knownMethods.has(method) ? method : 'HTTP');

const senderOf = ({ method, headers, client }: TracedPart['request']): Attributes => {
  const { address, secure } = client();
  const [, host, port] = /^(.*?)(?::(\d+))?$/.exec(headers.host ?? '') ?? [];
  return {
    'http.request.method_original': knownMethods.has(method) ? undefined : method,
    'url.scheme': secure ? 'https' : 'http',
    'server.address': host || undefined,
    'server.port': port === undefined ? undefined : Number(port),
    'client.address': address,
    'user_agent.original': headers['user-agent'],
  };
};

/**
 * Makes the decision whether one more trace is begun: for the first requests of each second. On a busy server these come together, so
 * that it follows requests for some milliseconds of a second alone: each beginning and end of following slows Node.js before 24.
 */
export const firstOfEachSecond = (traces: number, clock = () => performance.now()) => {
  let left = traces;
  let last = 0;
  return () => {
    const second = Math.floor(clock() / 1000);
    if (second !== last) left = traces;
    last = second;
    if (left === 0) return false;
    left -= 1;
    return true;
  };
};

/** Makes the makers of spans. */
export const makeSpans = (
  api: typeof import('@opentelemetry/api'),
  settings: {
    /** Decides whether a request begins a trace; one whose caller has begun a trace is not asked for. */
    mayBegin(): boolean;
    onIdle(): void;
  },
) => {
  const { trace, context, propagation, SpanKind, SpanStatusCode, ROOT_CONTEXT } = api;
  const { mayBegin, onIdle } = settings;
  const tracer = trace.getTracer('spec-first');
  let followed = 0;

  /** Marks what a part or a statement failed with; a refusal, such as a 404, is no fault of this program. */
  const markError = (span: Span, error: unknown): void => {
    const { code, name, status } = Object(error) as Readonly<Record<string, unknown>>;
    span.setAttribute('error.type', String(code ?? name ?? 'thrown'));
    if (!(Number(status) < 500)) span.setStatus({ code: SpanStatusCode.ERROR });
  };

  const endRequest = (span: Span, method: string, outcome: Outcome): void => {
    const { operation, route, status, failure } = outcome;
    if (route !== undefined) span.updateName(`${spanName(method)} ${route}`);
    span.setAttributes({
      'http.route': route,
      'http.response.status_code': status,
      'openapi.operation_id': operation?.operationId,
    });
    if (failure !== undefined) markError(span, failure);
    span.end();
  };

  /** Gives the span that the running code belongs to. While nothing is followed, it costs nothing to ask. */
  const activeSpan = (): Span | undefined => (followed > 0 ? trace.getActiveSpan() : undefined);

  /** Begins the span of a whole request, within the trace of its caller where it names one; undefined where it is not to be followed. */
  const begin = (request: TracedPart['request'], outcome: Outcome) => {
    const caller: Context = propagation.extract(ROOT_CONTEXT, request.headers);
    const begins = trace.getSpan(caller) === undefined;
    if (begins && !mayBegin()) return undefined;
    // What a sampler may decide by.
    const attributes = {
      'http.request.method': knownMethods.has(request.method) ? request.method : '_OTHER',
      'url.path': splitTarget(request.target).path,
    };
    const options = { kind: SpanKind.SERVER, attributes };
    const span = tracer.startSpan(spanName(request.method), options, caller);
    // What is not sampled is followed only so far as the trace of its caller has to be passed on.
    if (begins && !span.isRecording()) return undefined;
    if (span.isRecording()) span.setAttributes(senderOf(request));
    return async <Result>(work: () => Promise<Result>): Promise<Result> => {
      followed += 1;
      try {
        return await context.with(trace.setSpan(caller, span), work);
      } finally {
        endRequest(span, request.method, outcome);
        release();
      }
    };
  };

  const within = <Result>(name: string, options: SpanOptions, work: () => Promise<Result>) =>
    tracer.startActiveSpan(name, options, async (span): Promise<Result> => {
      try {
        return await work();
      } catch (error) {
        markError(span, error);
        throw error;
      } finally {
        span.end();
      }
    });

  const release = (): void => {
    followed -= 1;
    if (followed === 0) onIdle();
  };

  const tracePart: Trace = ({ name, outcome }, work) => {
    if (activeSpan()?.isRecording() !== true) return work();
    const attributes = { 'openapi.operation_id': outcome.operation?.operationId };
    return within(name, { attributes }, work);
  };

  /** Makes a span of the turn of a job, which begins a trace. */
  const traceJob = async <Result>(job: string, work: () => Promise<Result>): Promise<Result> => {
    if (!mayBegin()) return work();
    followed += 1;
    return within(`job ${job}`, { root: true }, work).finally(release);
  };

  const addStatement = (system: string, sql: string, milliseconds: number, error?: unknown) => {
    if (activeSpan()?.isRecording() !== true) return;
    const endTime = performance.now();
    // A statement is named by its first word and its first table: low in number, and easy to read.
    const [verb = ''] = /\w+/.exec(sql) ?? [];
    const [, table] = /\b(?:from|into|update|join)\s+["`]?(\w+)/i.exec(sql) ?? [];
    const summary = table === undefined ? verb.toUpperCase() : `${verb.toUpperCase()} ${table}`;
    const span = tracer.startSpan(summary, {
      kind: SpanKind.CLIENT,
      startTime: endTime - milliseconds,
      attributes: {
        'db.system.name': system,
        'db.query.text': sql,
        'db.query.summary': summary,
        'db.operation.name': summary.split(' ', 1)[0],
      },
    });
    if (error !== undefined) markError(span, error);
    span.end(endTime);
  };

  return {
    begin,
    trace: tracePart,
    traceJob,
    statementsOf: (system: 'postgresql' | 'sqlite'): StatementListener => ({
      isListening: () => followed > 0,
      take: (...statement) => addStatement(system, ...statement),
    }),
    logFields(): object {
      const { traceId, spanId } = activeSpan()?.spanContext() ?? {};
      return traceId === undefined ? {} : { trace_id: traceId, span_id: spanId };
    },
  };
};

/** The makers of spans. */
export type Spans = ReturnType<typeof makeSpans>;
