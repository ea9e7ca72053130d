/** A request and the way of its response: what a host, such as node:http, gives to the engine. */

import { setMaxListeners } from 'node:events';
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import { types } from 'node:util';
import { lazy } from '../base/memoize';
import type { Operation } from '../model/operation';
import type { ClientInfo, ClientOf, Principal } from './caller';
import { HttpError } from './http-error';
import { type HttpRequest, targetBelow } from './request';
import { type HttpResponse, requestIdOf, requestIds, send } from './send';

/** The outcome of a request, for logs and traces. */
export interface Outcome {
  /** The operation that it has reached. */
  operation?: Operation;
  /** The path of the operation in the document, behind the base path: `/v1/items/{id}`. */
  route?: string;
  /** The caller whose credentials were accepted. */
  caller?: Principal | undefined;
  /** The failure that the response reports. */
  failure?: HttpError;
  /** The status of the response that is sent; undefined where the caller left before. */
  status?: number | undefined;
  /** The status of the operation, where its response is within that of the request. */
  inner?: number | undefined;
  /** The ids of its span for the log, where it belongs to another trace than the request that it came in. */
  trace?: object;
}

/** A request, and the way of its response. */
export interface Exchange {
  readonly request: HttpRequest;
  /** Filled while the request is served. */
  readonly outcome: Outcome;
  /** The id of the request in logs; undefined if it has none. */
  readonly requestId: string | undefined;
  /** The request as the host has it, which security handlers and the context of handlers are made of. */
  readonly host: unknown;
  /** True once a response has begun, when it is too late for another. */
  readonly hasBegun: boolean;
  /** Sends the response. Rejects with what its body fails with, which may be before it has begun. */
  send(response: HttpResponse): Promise<void>;
  /** Leaves the request to what else the host serves; rejects with its error, or a 404 if it serves nothing there. */
  passOn(): Promise<never>;
}

/** Makes the error of a path that nothing is at. */
export const pathNotFound = (): HttpError =>
  new HttpError(404, 'route-not-found', 'No operation has this path');

/** Serves a request, or calls `next`: with an error, or without one if nothing is at the path. Express's routers fit. */
export type Routes = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** A log for problems of the document and of the server; pino's loggers fit. */
export interface ServiceLog {
  error(fields: object, message: string): void;
  /** Log lines of handlers, which are lost without it. */
  warn?(fields: object, message: string): void;
  info?(fields: object, message: string): void;
  debug?(fields: object, message: string): void;
  /** Tells whether lines of a level are written; all are without it. */
  isLevelEnabled?(level: string): boolean;
  /** Logs each step of each request, without secrets; undefined if steps are not logged. */
  readonly step?: ((fields: object, message: string) => void) | undefined;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Logs a line: its message, with fields of its own or an error before it. */
type LogLine = (...line: [message: string] | [fields: object, message?: string]) => void;

/** A log for handlers; lines of a level that is off cost nothing. */
export type HandlerLog = Readonly<Record<Level, LogLine>>;

const write = (
  log: ServiceLog,
  level: Level,
  [first, message = '']: Parameters<LogLine>,
  fieldsOf: () => object,
): void => {
  if (log[level] === undefined || log.isLevelEnabled?.(level) === false) return;
  if (typeof first === 'string') log[level](fieldsOf(), first);
  else if (types.isNativeError(first))
    log[level]({ err: first, ...fieldsOf() }, message || first.message);
  else log[level]({ ...first, ...fieldsOf() }, message);
};

/** Makes a log whose lines have these fields, too. */
export const handlerLog = (log: ServiceLog, fields: object): HandlerLog => {
  const lineOf =
    (level: Level): LogLine =>
    (...line) =>
      write(log, level, line, () => fields);
  return {
    debug: lineOf('debug'),
    info: lineOf('info'),
    warn: lineOf('warn'),
    error: lineOf('error'),
  };
};

/** The log of a request. It has no functions of its own, since most requests log nothing. */
export class RequestLog {
  readonly #log: ServiceLog;
  readonly #exchange: Exchange;

  constructor(log: ServiceLog, exchange: Exchange) {
    this.#log = log;
    this.#exchange = exchange;
  }

  #write(level: Level, line: Parameters<LogLine>): void {
    write(this.#log, level, line, () => {
      const { requestId, outcome } = this.#exchange;
      return { requestId, operation: outcome.operation?.operationId, ...outcome.trace };
    });
  }

  debug(...line: Parameters<LogLine>): void {
    this.#write('debug', line);
  }

  info(...line: Parameters<LogLine>): void {
    this.#write('info', line);
  }

  warn(...line: Parameters<LogLine>): void {
    this.#write('warn', line);
  }

  error(...line: Parameters<LogLine>): void {
    this.#write('error', line);
  }
}

/** The life of a request, as its handler has it. */
export class RequestLifetime {
  readonly #works: (() => unknown)[] = [];

  /** Does the work when the response has been sent; it is waited for when the server stops. Nothing is done for a request that fails. */
  after(work: () => unknown): void {
    this.#works.push(work);
  }

  /** Takes the works, in their order. */
  take(): readonly (() => unknown)[] {
    return this.#works.splice(0);
  }
}

const outcome = Symbol('outcome of the request');

/** Returns how a request of node:http has ended so far, for logs: a property, since each entry of a WeakMap costs the garbage collector. */
export const outcomeOf = (response: ServerResponse & { [outcome]?: Outcome }): Outcome =>
  (response[outcome] ??= {});

/** Makes what ends the connection of a request to which not even an error could be sent, as where the log throws. */
export const giveUp =
  (response: ServerResponse) =>
  (error: unknown): void => {
    console.error(error);
    response.destroy();
  };

/** Returns the headers; of HTTP/2, where frames tell that a body follows (RFC 9113 section 8.1), with one that announces it. */
const headersOf = ({
  headers,
  stream,
}: IncomingMessage & { readonly stream?: { endAfterHeaders: boolean } }): IncomingHttpHeaders =>
  stream === undefined || stream.endAfterHeaders || 'content-length' in headers
    ? headers
    : { ...headers, 'transfer-encoding': 'chunked' };

/** Gives requests that have no id yet theirs; made at the first, since some hosts have no random numbers before. */
export const requestIdFor = lazy(requestIds);

interface NodeHost {
  /** Finds the client; without it the peer of the connection. */
  readonly clientOf?: ClientOf | undefined;
  /** Serve the paths that the engine does not. */
  readonly routes?: Routes | undefined;
  /** The path and query, relative to the base path. */
  readonly target?: string | undefined;
  /** The request as the host has it: the message itself, unless it is in something else. */
  readonly host?: unknown;
}

/** A request and a response of node:http. */
export class NodeExchange implements Exchange, HttpRequest {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #clientOf: ClientOf | undefined;
  readonly #routes: Routes | undefined;
  #signal: AbortSignal | undefined;
  #requestId: string | undefined;
  readonly outcome: Outcome;
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly host: unknown;

  constructor(message: IncomingMessage, response: ServerResponse, settings: NodeHost = {}) {
    this.#message = message;
    this.#response = response;
    this.#clientOf = settings.clientOf;
    this.#routes = settings.routes;
    this.outcome = outcomeOf(response);
    this.method = message.method ?? 'GET';
    this.target = settings.target ?? message.url ?? '/';
    this.headers = headersOf(message);
    this.host = settings.host ?? message;
  }

  get request(): HttpRequest {
    return this;
  }

  get body(): IncomingMessage {
    return this.#message;
  }

  /** Aborts when the connection closes, or the response has been sent. */
  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    const { socket } = this.#message;
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const abort = () => {
      socket.off('close', abort);
      controller.abort();
    };
    if (socket.destroyed) controller.abort();
    // Node does not close a response that waits behind another; a connection may have any number of these.
    else socket.setMaxListeners(0).once('close', abort);
    this.#response.once('close', abort);
    this.#signal = controller.signal;
    return this.#signal;
  }

  client(): ClientInfo {
    if (this.#clientOf !== undefined) return this.#clientOf(this.#message);
    const { socket } = this.#message;
    const secure = 'encrypted' in socket && socket.encrypted === true;
    return { address: socket.remoteAddress ?? '', secure };
  }

  get requestId(): string {
    // An id that the host itself gives, as Fastify and some middleware do.
    const given = (): unknown => Reflect.get(Object(this.host), 'id');
    this.#requestId ??= requestIdOf(this.#response) ?? requestIdFor()(this.headers, given());
    return this.#requestId;
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  send(response: HttpResponse): Promise<void> {
    this.outcome.status = response.status;
    // The rest of such a body is not worth waiting for.
    if (response.status === 413 && !this.#message.complete) this.#response.shouldKeepAlive = false;
    return send(this.#message, this.#response, response);
  }

  passOn(): Promise<never> {
    return new Promise((_resolve, reject) => {
      const next = (error?: unknown): void => reject(error ?? pathNotFound());
      if (this.#routes === undefined) next();
      else this.#routes(this.#message, this.#response, next);
    });
  }
}

/** Makes what finds the service below whose base path a target lies, and the rest of the target. */
export const findServices = <Service extends { readonly document: { readonly basePath: string } }>(
  services: readonly Service[],
) => {
  // One base path may lie below another.
  const longestFirst = services.toSorted(
    (one, other) => other.document.basePath.length - one.document.basePath.length,
  );
  return (url: string) => {
    for (const service of longestFirst) {
      const target = targetBelow(service.document.basePath, url);
      if (target !== undefined) return { service, target };
    }
    return undefined;
  };
};

/** Makes the listener of node:http that gives each request to a service. */
export const nodeListener =
  (
    service: { serve(exchange: Exchange): Promise<void> },
    settings: NodeHost = {},
  ): RequestListener =>
  (request, response) => {
    service.serve(new NodeExchange(request, response, settings)).catch(giveUp(response));
  };

/**
 * A part of the work on a request.
 * @example { name: 'handler', request: { method: 'GET', target: '/items/7', headers }, outcome: { route: '/items/{id}', operation } }
 */
export interface TracedPart {
  /** `request` is the whole. The others lie in it, one after the other; `validation` is the reading of parameters and body. */
  readonly name: 'request' | 'authorization' | 'validation' | 'handler';
  readonly request: Pick<HttpRequest, 'method' | 'target' | 'headers' | 'client'>;
  /** Filled while the request is served; complete when the work of `request` has ended. */
  readonly outcome: Readonly<Outcome>;
}

/**
 * Does the work of a part, and resolves or rejects as the work does. What is called by the work belongs to the part.
 * @example
 * const trace: Trace = ({ name }, work) =>
 *   tracer.startActiveSpan(name, (span) => work().finally(() => span.end()));
 */
export type Trace = <Result>(part: TracedPart, work: () => Promise<Result>) => Promise<Result>;
