/**
 * The steps of a request, and the statuses that each may fail with:
 *
 *     route               404, 405 with Allow
 *     authorize           401, 403, 429
 *     find the handler    501
 *     negotiate           406
 *     read parameters     the declared 400
 *     read the body       413, 415, and the declared 400, 405 or 422
 *     handle              a declared failure
 *     write the response  500 where it is not what the document declares
 *
 * A step goes on at once where the one before did not have to wait. Every failure ends in `refuse`.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentResponses } from '../document/document-responses';
import { asHttpError } from '../http/as-http-error';
import { HttpError } from '../http/http-error';
import { otherMethodResponse } from '../http/other-methods';
import { splitTarget } from '../http/request-target';
import { type HttpResponse, send } from '../http/send';
import { andThen, type MaybePromise, orCatch } from '../lang/maybe-promise';
import { fileInfo } from '../media-types/multipart/file-info';
import type { OperationRouter, RoutedOperation } from '../paths/operation-router';
import type { WriteError } from '../responses/error-response';
import type { HandlerResponse } from '../responses/response';
import type { CompiledResponses } from '../responses/responses';
import type { ClientOf } from '../security/principal';
import type { CompiledOperation, CompileOperation, HandleRequest } from './compile-operation';

import { requestInfo } from './request-info';
import { recordOperation } from './served-operation';

/** Where faults of the document and of the server are told; pino's loggers fit. */
export interface ServiceLog {
  error(fields: object, message: string): void;
}

/** Serves a request, or calls `next`: with an error, or without one where there is nothing at the path. Express's routers fit. */
export type Routes = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** What a document is served by. */
export interface Service {
  /** The document itself. */
  readonly documentAt: DocumentResponses;
  readonly matchOperation: OperationRouter<unknown>['matchOperation'];
  readonly compile: CompileOperation;
  /** Serves paths that no operation has. */
  readonly routes: Routes | undefined;
  readonly clientOf: ClientOf;
  /** Writes the failures of requests that reach no operation. */
  readonly writeError: WriteError;
  readonly log: ServiceLog;
}

/** A request and the place for its response. */
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

const requireHandler = (
  { handler }: CompiledOperation,
  { operation }: RoutedOperation,
): HandleRequest => {
  if (handler !== undefined) return handler;
  throw new HttpError(501, 'not-implemented', `${operation.operationId} is not implemented`);
};

const negotiate = (responses: CompiledResponses, accept: string | undefined): void => {
  if (responses.acceptable(accept)) return;
  const message = `The Accept header must allow one of ${responses.mediaTypes.join(', ')}`;
  throw new HttpError(406, 'not-acceptable', message);
};

const writeResponse = (
  { responses }: CompiledOperation,
  { operation }: RoutedOperation,
  given: HandlerResponse,
  accept: string | undefined,
): HttpResponse => {
  // A 1xx would leave the caller waiting for the final response (RFC 9110 section 15.2).
  const declared = given.status < 200 ? undefined : responses.find(given.status);
  if (declared === undefined) {
    throw new Error(`${operation.operationId} answered ${given.status}, which is not declared`);
  }
  return declared.write(given, accept);
};

/** Authorization comes before all reading, so that a malformed request tells its sender nothing about the operation. */
const serveOperation = (
  { compile, clientOf }: Service,
  exchange: Exchange,
  routed: RoutedOperation,
): MaybePromise<HttpResponse> => {
  const { request, response, query } = exchange;
  const { invalidReason } = routed.operation;
  recordOperation(response, routed.operation);
  if (invalidReason !== undefined) {
    throw new HttpError(501, 'not-implemented', invalidReason);
  }
  const operation = compile(routed.operation);
  exchange.writeError = operation.writeError;
  const { headers } = request;
  const { path } = routed;
  const client = requestInfo(request, query, clientOf);

  return andThen(operation.authorize(client, path), (principal) => {
    const handle = requireHandler(operation, routed);
    negotiate(operation.responses, headers.accept);
    const parameters = operation.readParameters({ path, query, headers });
    return andThen(operation.readBody(request, response), (body) =>
      andThen(
        handle(
          {
            path: parameters.path,
            query: parameters.query,
            header: parameters.header,
            cookie: parameters.cookie,
            body,
            principal,
            client,
            fileInfo,
            fail: operation.fail,
          },
          headers,
        ),
        (given) => writeResponse(operation, routed, given, headers.accept),
      ),
    );
  });
};

/** Leaves a request to other routes, which send the response themselves; rejects with their error, or 404. */
const passOn = (routes: Routes | undefined, { request, response }: Exchange): Promise<never> =>
  new Promise((_resolve, reject) => {
    const next = (error?: unknown): void =>
      reject(error ?? new HttpError(404, 'route-not-found', 'No operation has this path'));
    if (routes === undefined) next();
    else routes(request, response, next);
  });

/** Finds what a request is for. */
const route = (service: Service, exchange: Exchange): MaybePromise<HttpResponse> => {
  const { method, path } = exchange;
  const own = service.documentAt(method, path);
  if (own !== undefined) return own;
  const match = service.matchOperation(method, path);
  if (match === undefined) return passOn(service.routes, exchange);
  if ('allow' in match) return otherMethodResponse(method, match.allow);
  return serveOperation(service, exchange, match);
};

/** Sends the failure as its operation declares it; where a part of the response has been sent, the log alone is told. */
const refuse = (
  { request, response, writeError }: Exchange,
  log: ServiceLog,
  error: unknown,
): MaybePromise<void> => {
  if (response.headersSent) {
    log.error({ err: error }, 'A response was cut off');
    return undefined;
  }
  const failure = asHttpError(error);
  if (failure.status >= 500) log.error({ err: failure.cause ?? failure }, failure.message);
  return send(request, response, writeError(failure, request.headers.accept));
};

/** Serves a request from its route to its response. Throws nothing. */
export const serveRequest = (
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const { method = 'GET', url = '/' } = request;
  const { path, query } = splitTarget(url);
  const { writeError } = service;
  const exchange = { request, response, method, path, query, writeError };
  void orCatch(
    () => andThen(route(service, exchange), (given) => send(request, response, given)),
    (error) => refuse(exchange, service.log, error),
  );
};
