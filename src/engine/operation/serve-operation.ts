/** Serves an operation: the steps from its authorization to the response that it declares; serve-request.ts lists them. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../document/model/operation';
import type { BodyMemory } from '../http/body-memory';
import { HttpError } from '../http/http-error';
import { isSafeMethod } from '../http/safe-methods';
import type { HttpResponse } from '../http/send';
import { requestFuel } from '../lang/fuel';
import { fileInfo } from '../media-types/multipart/part-value';
import type { OperationRouter, RoutedOperation } from '../paths/operation-router';
import type { WriteError, WritePage } from '../responses/error-response';
import type { ClientOf } from '../security/security-handlers';
import type { CompileOperation } from './compile-operation';
import type { UnitOfWork } from './handler';
import { RequestInfo } from './request-info';
import type { DocumentResponses } from './service';

/** Where problems of the document and of the server are told; pino's loggers fit. */
export interface ServiceLog {
  error(fields: object, message: string): void;
}

/** Serves a request, or calls `next`: with an error, or without one where there is nothing at the path. Express's routers fit. */
export type Routes = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** The page for a failure, in place of the declared response; undefined where the request is to have that one. */
export type ErrorPage = (request: IncomingMessage) => WritePage | undefined;

/** What a document is served by. */
export interface Service {
  /** The document itself. */
  readonly documentAt: DocumentResponses;
  readonly matchOperation: OperationRouter<unknown>['matchOperation'];
  readonly compile: CompileOperation;
  /** Compiles, between requests, what the first requests of an operation need; undefined where that is done. */
  prepare(operation: Operation): Promise<void> | undefined;
  /** Serves paths that no operation has. */
  readonly routes: Routes | undefined;
  readonly clientOf: ClientOf;
  /** Writes the failures of requests that reach no operation. */
  readonly writeError: WriteError;
  readonly errorPage: ErrorPage | undefined;
  readonly unitOfWork: UnitOfWork | undefined;
  /** What the bodies hold until their requests are answered. */
  readonly bodies: BodyMemory | undefined;
  readonly log: ServiceLog;
}

/** A request on its way. */
export interface Exchange {
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

/** A response with its operation. To remember that in a WeakMap costs each collection of garbage. */
interface OperationResponse extends ServerResponse {
  [reached]?: Operation;
}

/** The operation that a request has reached, for logs; undefined where it has reached none. */
export const operationOf = (response: OperationResponse): Operation | undefined =>
  response[reached];

/** Authorization comes before all reading, so that a malformed request tells its sender nothing about the operation. */
const answerOperation = async (
  { compile, prepare, unitOfWork }: Service,
  exchange: Exchange,
  { operation, path }: RoutedOperation,
  client: RequestInfo,
): Promise<HttpResponse> => {
  const { request, query } = exchange;
  const { headers } = request;
  const { operationId, invalidReason } = operation;
  if (invalidReason !== undefined) throw new HttpError(501, 'not-implemented', invalidReason);
  const compiled = compile(operation);
  const { authorize, handler, responses, readParameters, readBody, fail, notImplemented } =
    compiled;
  exchange.writeError = compiled.writeError;
  const principal = await authorize(client, path);
  const preparation = prepare(operation);
  if (preparation !== undefined) await preparation;
  if (handler === undefined) throw notImplemented();
  if (!responses.acceptable(headers.accept)) {
    const message = `The Accept header must allow one of ${responses.mediaTypes.join(', ')}`;
    throw new HttpError(406, 'not-acceptable', message);
  }
  const fuel = requestFuel();
  const parameters = readParameters({ path, query, headers }, fuel);
  const body = await readBody(request, fuel);
  const respond = async (): Promise<HttpResponse> => {
    const given = await handler(
      {
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
      },
      headers,
    );
    // A 1xx would leave the caller waiting for the final response (RFC 9110 section 15.2).
    const declared = given.status < 200 ? undefined : responses.find(given.status);
    if (declared !== undefined) return declared.write(given, headers.accept);
    throw new Error(`${operationId} answered ${given.status}, which is not declared`);
  };
  return unitOfWork === undefined || isSafeMethod(client.method)
    ? await respond()
    : await unitOfWork(respond);
};

/** Serves an operation; again, where the caller turns out not to be who was taken for granted. */
export const serveOperation = async (
  service: Service,
  exchange: Exchange,
  match: RoutedOperation,
  mayConfirmLater = isSafeMethod(exchange.method),
): Promise<HttpResponse> => {
  const { request, response, query } = exchange;
  (response as OperationResponse)[reached] = match.operation;
  const client = new RequestInfo(request, query, service.clientOf, mayConfirmLater);
  const answer = answerOperation(service, exchange, match, client);
  if (!mayConfirmLater) return answer;
  const [outcome] = await Promise.allSettled([answer]);
  if (!(await client.isConfirmed())) return serveOperation(service, exchange, match, false);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
};
