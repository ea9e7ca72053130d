/**
 * Serves a request: the steps in the order in which they run, and the statuses that each may fail with:
 *
 *     route               404, 405 with Allow
 *     authorize           401, 403, 429
 *     find the handler    501
 *     negotiate           406
 *     read parameters     the declared 400
 *     read the body       413, 415, 503, and the declared 400, 405 or 422
 *     handle              a declared failure
 *     write the response  500 if it is not what the document declares
 *
 * Every failure ends in `sendFailure`.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { handOver } from '../../base/exact-number';
import { requestFuel } from '../../base/fuel';
import type { Client } from '../../http/caller';
import type { Exchange, Trace, TracedPart } from '../../http/exchange';
import { type ServiceLog, sendFailure, type WriteError } from '../../http/failure';
import { HttpError, otherMethodResponse } from '../../http/http-error';
import { type HttpRequest, splitTarget } from '../../http/request';
import type { HttpResponse } from '../../http/send';
import type { Operation } from '../../model/operation';
import { fileInfo } from '../media-types/multipart/part-value';
import { describePart } from '../media-types/sequences/multipart-sequence';
import type { ReadParameters } from '../parameters/parameters';
import type { OperationRouter, RoutedOperation } from '../paths/operation-router';
import { BodyItems } from '../request-body/body-items';
import { ThrownResponse } from '../responses/error-response';
import type { HandlerResponse } from '../responses/response';
import type { SecurityRequest } from '../security/credentials';
import type { CompiledOperation, CompileOperation } from './compile-operation';
import type { HandlerHooks, UntypedHandler, UntypedRequest } from './handler';
import type { PathResponses, SettledOptions } from './service-options';

/** A document, compiled to be served. */
export interface CompiledService
  extends Pick<SettledOptions, 'errorPage' | 'replaceError' | 'trace' | 'bodies' | 'log'> {
  /** Answers requests for the document itself, and those that go before its paths. */
  readonly answerFirst: PathResponses;
  readonly matchOperation: OperationRouter<UntypedHandler>['matchOperation'];
  readonly compile: CompileOperation;
  /** Compiles, between requests, what the first requests of an operation need; undefined when that is done. */
  prepare(operation: Operation): Promise<void> | undefined;
  /** Writes the failures of requests that reach no operation. */
  readonly writeError: WriteError;
  /** Undefined where there are none. */
  readonly hooks: HandlerHooks | undefined;
}

const neverAborted = new AbortController().signal;

/** The request as handlers and security handlers see it. */
export class RequestInfo implements SecurityRequest, Client {
  readonly #request: HttpRequest;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;

  constructor(request: HttpRequest, query: string) {
    this.#request = request;
    this.method = request.method;
    this.headers = request.headers;
    this.query = query;
  }

  get address(): string {
    return this.#request.client().address;
  }

  get secure(): boolean {
    return this.#request.client().secure;
  }

  get signal(): AbortSignal {
    return this.#request.signal ?? neverAborted;
  }
}

/** A request while it is served. */
interface RequestContext {
  readonly exchange: Exchange;
  /** Raw, relative to the base path. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
  /** The service's, until an operation is reached. */
  writeError: WriteError;
  /** The body, where it is read item by item. */
  items?: BodyItems;
}

/** Does a part of the work on a request, which a tracer may follow. */
const traced = <Result>(
  trace: Trace | undefined,
  name: TracedPart['name'],
  { request, outcome }: Exchange,
  work: () => Promise<Result>,
): Promise<Result> => (trace === undefined ? work() : trace({ name, request, outcome }, work));

/** Reads parameters and body. */
const readInput = async (
  { readParameters, readBody }: CompiledOperation,
  request: HttpRequest,
  raw: Parameters<ReadParameters>[0],
  step: ServiceLog['step'],
) => {
  const fuel = requestFuel();
  const parameters = readParameters(raw, fuel);
  for (const values of Object.values(parameters)) handOver(values);
  step?.({}, 'Parameters read');
  const body = handOver(await readBody?.(request, fuel));
  if (body !== undefined) step?.({ mediaType: raw.headers['content-type'] }, 'Body read');
  return { parameters, body };
};

/** Calls the handler. A response that is thrown by `fail(status, content)` is answered as if it had been returned. */
const handle = async (
  handler: UntypedHandler,
  request: UntypedRequest,
): Promise<HandlerResponse> => {
  try {
    return await handler(request);
  } catch (error) {
    if (error instanceof ThrownResponse) return error.response;
    throw error;
  }
};

/** Returns the response of a handler, which in programs without types may be anything. */
const requireResponse = (
  given: HandlerResponse | undefined,
  { operationId }: Operation,
): HandlerResponse => {
  if (given && Number.isInteger(given.status)) return given;
  const advice = 'return an object such as { status: 200, body }';
  throw new Error(`${operationId} answered without a status: ${advice}`);
};

/** Puts the hooks around a handler. */
const between =
  ({ before, after }: HandlerHooks, operation: Operation, handler: UntypedHandler) =>
  async (request: UntypedRequest): Promise<HandlerResponse> => {
    if (before !== undefined) await before({ operation, request });
    const response = await handle(handler, request);
    return (after && (await after({ operation, request, response }))) ?? response;
  };

/** Runs the steps. Authorization precedes all reading, so that a malformed request tells its sender nothing about the operation. */
const serveOperation = async (
  { compile, prepare, hooks, trace, log: { step } }: CompiledService,
  context: RequestContext,
  { operation, path, handler }: RoutedOperation<UntypedHandler>,
): Promise<HttpResponse> => {
  const { exchange, query } = context;
  const { request, outcome } = exchange;
  const { headers } = request;
  const { operationId, invalidReason } = operation;
  outcome.operation = operation;
  if (invalidReason !== undefined) throw new HttpError(501, 'not-implemented', invalidReason);
  const compiled = compile(operation);
  const { authorize, responses, fail, notImplemented } = compiled;
  outcome.route = compiled.route;
  context.writeError = compiled.writeError;
  const client = new RequestInfo(request, query);
  step?.({ operation: operationId, template: operation.path }, 'Operation found');
  const principal = await traced(trace, 'authorization', exchange, () => authorize(client, path));
  outcome.caller = principal;
  step?.({ caller: principal?.subject }, 'Request authorized');
  const preparation = prepare(operation);
  if (preparation !== undefined) await preparation;
  if (handler === undefined) throw notImplemented();
  if (!responses.acceptable(headers.accept)) {
    const message = `The Accept header must allow one of ${responses.mediaTypes.join(', ')}`;
    throw new HttpError(406, 'not-acceptable', message);
  }
  step?.({ accept: headers.accept, offered: responses.mediaTypes }, 'Response can be written');
  const { parameters, body } = await traced(trace, 'validation', exchange, () =>
    readInput(compiled, request, { path, query, headers }, step),
  );
  const [querystring] = Object.values(parameters.querystring);
  if (body instanceof BodyItems) context.items = body;
  const handled: UntypedRequest = {
    path: parameters.path,
    query: parameters.query,
    querystring,
    header: parameters.header,
    cookie: parameters.cookie,
    body,
    principal,
    client,
    fileInfo,
    describePart,
    fail,
    notImplemented,
  };
  const called = hooks === undefined ? handler : between(hooks, operation, handler);
  const given = requireResponse(
    await traced(trace, 'handler', exchange, () => handle(called, handled)),
    operation,
  );
  // A 1xx would leave the caller waiting (RFC 9110 section 15.2).
  const isFinal = given.status >= 200 && given.status < 600;
  const declared = isFinal ? responses.find(given.status) : undefined;
  if (declared === undefined) {
    throw new Error(`${operationId} answered ${given.status}, which is not declared`);
  }
  step?.({ status: given.status }, 'Handler answered');
  const written = declared.write(given, headers.accept);
  step?.({ mediaType: written.headers['Content-Type'] }, 'Response written');
  return written;
};

const route = (
  service: CompiledService,
  context: RequestContext,
): Promise<HttpResponse> | HttpResponse => {
  const { exchange, path, query } = context;
  const { method } = exchange.request;
  const answer = service.answerFirst(method, path, query);
  if (answer !== undefined) return answer;
  const match = service.matchOperation(method, path);
  if (match === undefined) return exchange.passOn();
  if ('allowed' in match) return otherMethodResponse(method, match.allowed);
  return serveOperation(service, context, match);
};

/** Serves a request from its route to its response. Throws nothing, unless the response cannot be sent at all. */
export const serveRequest = async (service: CompiledService, exchange: Exchange): Promise<void> => {
  const { request } = exchange;
  const { path, query } = splitTarget(request.target);
  const context: RequestContext = { exchange, path, query, writeError: service.writeError };
  try {
    await exchange.send(await route(service, context));
  } catch (error) {
    const { log, errorPage, replaceError } = service;
    const { writeError } = context;
    await sendFailure(exchange, error, { log, errorPage, replaceError, writeError });
  } finally {
    context.items?.end();
    service.bodies.release(request);
  }
};
