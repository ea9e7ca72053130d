/**
 * Serves a request: its steps, in order, and the statuses that each may fail with:
 *
 *     route               404, 405 with Allow
 *     authorize           401, 403, 429
 *     find the handler    501
 *     negotiate           406
 *     read parameters     the declared 400
 *     read the body       413, 415, 503, and the declared 400, 405 or 422
 *     handle              a declared failure
 *     write the response  500 where it is not what the document declares
 *
 * Every failure ends in `refuse`.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestFuel } from '../../base/fuel';
import type { Operation } from '../document/model/operation';
import type { BodyMemory } from '../http/body-memory';
import {
  asHttpError,
  HttpError,
  noteFailure,
  otherMethodResponse,
  reasonsOf,
} from '../http/http-error';
import { splitTarget } from '../http/request-head';
import { requestIdOf } from '../http/response-head';
import { type HttpResponse, send } from '../http/send';
import { fileInfo } from '../media-types/multipart/part-value';
import type { OperationRouter, RoutedOperation } from '../paths/operation-router';
import { ThrownResponse } from '../responses/error-mapping';
import type { WriteError, WritePage } from '../responses/error-response';
import type { HandlerResponse } from '../responses/response';
import type { ClientOf, Principal } from '../security/security-handlers';
import type { CompileOperation } from './compile-operation';
import type { UntypedHandler, UntypedRequest } from './handler';
import { RequestInfo } from './request-info';

/** Where problems of the document and of the server are told; pino's loggers fit. */
export interface ServiceLog {
  error(fields: object, message: string): void;
  /** Told each step of each request, without secrets; undefined where nothing asks for the steps. */
  readonly step?: ((fields: object, message: string) => void) | undefined;
}

/** Serves a request, or calls `next`: with an error, or without one where there is nothing at the path. Express's routers fit. */
export type Routes = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** The page for a failure, in place of the declared response; undefined where the request is to have that one. */
export type ErrorPage = (request: IncomingMessage) => WritePage | undefined;

/** The response to a request for the document; undefined where it asks for something else. */
export type DocumentResponses = (
  method: string,
  path: string,
  query?: string,
) => Promise<HttpResponse> | undefined;

/** What a document is served by. */
export interface Service {
  /** The document itself. */
  readonly documentAt: DocumentResponses;
  readonly matchOperation: OperationRouter<UntypedHandler>['matchOperation'];
  readonly compile: CompileOperation;
  /** Compiles, between requests, what the first requests of an operation need; undefined where that is done. */
  prepare(operation: Operation): Promise<void> | undefined;
  /** Serves paths that no operation has. */
  readonly routes: Routes | undefined;
  readonly clientOf: ClientOf;
  /** Writes the failures of requests that reach no operation. */
  readonly writeError: WriteError;
  readonly errorPage: ErrorPage | undefined;
  /** What the bodies hold until their requests are answered. */
  readonly bodies: BodyMemory | undefined;
  readonly log: ServiceLog;
}

/** A request on its way. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Upper case. */
  readonly method: string;
  /** Raw, relative to the base path. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
  /** The service's, until an operation is reached. */
  writeError: WriteError;
}

const reached = Symbol('the operation that the request has reached');
const caller = Symbol('the caller of the operation');

/** A response with its operation. To remember that in a WeakMap costs each collection of garbage. */
interface OperationResponse extends ServerResponse {
  [reached]?: Operation;
  [caller]?: Principal | undefined;
}

/** The operation that a request has reached, for logs; undefined where it has reached none. */
export const operationOf = (response: OperationResponse): Operation | undefined =>
  response[reached];

/** The caller whose credentials were found good, for logs; undefined where nothing says who calls. */
export const callerOf = (response: OperationResponse): Principal | undefined => response[caller];

/** Leaves a request to other routes, which send the response themselves; rejects with their error, or 404. */
const passOn = (routes: Routes | undefined, { request, response }: Exchange): Promise<never> =>
  new Promise((_resolve, reject) => {
    const next = (error?: unknown): void =>
      reject(error ?? new HttpError(404, 'route-not-found', 'No operation has this path'));
    if (routes === undefined) next();
    else routes(request, response, next);
  });

/** Runs a handler; what it throws by `fail(status, content)` is its response. */
const runHandler = async (
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

/** Authorization comes before all reading, so that a malformed request tells its sender nothing about the operation. */
const serveOperation = async (
  { compile, prepare, clientOf, log: { step } }: Service,
  exchange: Exchange,
  { operation, path, handler }: RoutedOperation<UntypedHandler>,
): Promise<HttpResponse> => {
  const { request, query } = exchange;
  const response: OperationResponse = exchange.response;
  const { headers } = request;
  const { operationId, invalidReason } = operation;
  response[reached] = operation;
  if (invalidReason !== undefined) throw new HttpError(501, 'not-implemented', invalidReason);
  const compiled = compile(operation);
  const { authorize, mock, responses, readParameters, readBody, fail, notImplemented } = compiled;
  exchange.writeError = compiled.writeError;
  const client = new RequestInfo(request, query, clientOf);
  step?.({ operation: operationId, template: operation.path }, 'Operation found');
  const principal = await authorize(client, path);
  response[caller] = principal;
  step?.({ caller: principal?.subject }, 'Request authorized');
  const preparation = prepare(operation);
  if (preparation !== undefined) await preparation;
  const run = handler ?? (mock && (() => mock(headers)));
  if (run === undefined) throw notImplemented();
  if (!responses.acceptable(headers.accept)) {
    const message = `The Accept header must allow one of ${responses.mediaTypes.join(', ')}`;
    throw new HttpError(406, 'not-acceptable', message);
  }
  step?.({ accept: headers.accept, offered: responses.mediaTypes }, 'Response can be written');
  const fuel = requestFuel();
  const parameters = readParameters({ path, query, headers }, fuel);
  step?.({}, 'Parameters read');
  const body = await readBody(request, fuel);
  if (body !== undefined) step?.({ mediaType: headers['content-type'] }, 'Body read');
  const given = await runHandler(run, {
    path: parameters.path,
    query: parameters.query,
    header: parameters.header,
    cookie: parameters.cookie,
    body,
    principal,
    client,
    fileInfo,
    fail,
    notImplemented,
  });
  // A 1xx would leave the caller waiting for the final response (RFC 9110 section 15.2).
  const declared = given.status < 200 ? undefined : responses.find(given.status);
  if (declared === undefined) {
    throw new Error(`${operationId} answered ${given.status}, which is not declared`);
  }
  step?.({ status: given.status }, 'Handler answered');
  const written = declared.write(given, headers.accept);
  step?.({ mediaType: written.headers['Content-Type'] }, 'Response written');
  return written;
};

const route = (service: Service, exchange: Exchange): Promise<HttpResponse> | HttpResponse => {
  const { method, path, query } = exchange;
  const own = service.documentAt(method, path, query);
  if (own !== undefined) return own;
  const match = service.matchOperation(method, path);
  if (match === undefined) return passOn(service.routes, exchange);
  if ('allow' in match) return otherMethodResponse(method, match.allow);
  return serveOperation(service, exchange, match);
};

/** Sends the failure as its operation declares it; where a part of the response has been sent, the log alone is told. */
const refuse = async (
  { request, response, writeError }: Exchange,
  { log, errorPage }: Service,
  error: unknown,
): Promise<void> => {
  const operation = operationOf(response)?.operationId;
  const requestId = requestIdOf(response);
  if (response.headersSent) {
    log.error({ operation, requestId, err: error }, 'A response was cut off');
    return;
  }
  const failure = asHttpError(error);
  const { status, code, message, cause = failure } = failure;
  noteFailure(response, failure);
  log.step?.({ status, code, reasons: reasonsOf(failure) }, 'Request refused');
  if (status >= 500) log.error({ operation, requestId, err: cause }, message);
  // The rest of such a body is not worth waiting for.
  if (status === 413 && !request.complete) response.shouldKeepAlive = false;
  const page = errorPage?.(request);
  await send(request, response, writeError(failure, request.headers.accept, page));
};

/** Serves a request from its route to its response. Throws nothing. */
export const serveRequest = async (
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { method = 'GET', url = '/' } = request;
  const { path, query } = splitTarget(url);
  const exchange = { request, response, method, path, query, writeError: service.writeError };
  try {
    await send(request, response, await route(service, exchange));
  } catch (error) {
    await refuse(exchange, service, error);
  } finally {
    service.bodies?.release(request);
  }
};
