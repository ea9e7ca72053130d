/** One operation, compiled: the way of a request from routing to the answer. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import type { Operation } from '../document/model/operation';
import { HttpError } from '../http/http-error';
import type { HttpResponse } from '../http/send';
import { andThen, type MaybePromise } from '../lang/maybe-promise';
import { fileInfo } from '../media-types/multipart/file-info';
import type { ReadParameters } from '../parameters/parameter-check';
import type { RoutedOperation } from '../paths/operation-router';
import type { ReadBody } from '../request-body/body';
import type { HandlerResponse } from '../responses/response';
import type { CompiledResponses } from '../responses/responses';
import type { Authorize } from '../security/authorize';
import type { SecurityRequest } from '../security/credentials';
import type { Principal } from '../security/principal';
import type { HandlerRequest, OperationTypes } from './handler';

/** A handler as the engine calls it; its types are the generator's business. */
export type UntypedHandler = (
  request: HandlerRequest<OperationTypes>,
) => MaybePromise<HandlerResponse>;

/** What answers a request that has been read: a handler, or what stands in for one and looks at the headers. */
export type HandleRequest = (
  request: HandlerRequest<OperationTypes>,
  headers: IncomingHttpHeaders,
) => MaybePromise<HandlerResponse>;

/** A request and the place for its answer. */
export interface RequestContext {
  readonly request: Request;
  readonly response: Response;
  /** Raw, relative to the base path. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
}

/** What one operation does at each step. */
export interface CompiledOperation {
  readonly authorize: Authorize;
  readonly readParameters: ReadParameters;
  readonly readBody: ReadBody;
  readonly responses: CompiledResponses;
  readonly fail: HandlerRequest<OperationTypes>['fail'];
  /** Undefined: not implemented. */
  readonly handler: HandleRequest | undefined;
}

/** The caller's address and transport are worked out where they are asked for, by accessors that all requests share. */
class RequestInfo implements SecurityRequest {
  readonly #request: Request;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;

  constructor({ request, query }: RequestContext) {
    this.#request = request;
    this.method = request.method;
    this.headers = request.headers;
    this.query = query;
  }

  get address(): string {
    return this.#request.ip ?? '';
  }

  get secure(): boolean {
    return this.#request.secure;
  }
}

/** Writes what a handler gave. */
const writeResponse = (
  { responses }: CompiledOperation,
  { operationId }: Operation,
  handlerResponse: HandlerResponse,
  accept: string | undefined,
): HttpResponse => {
  // A 1xx would leave the caller waiting for the final answer (RFC 9110 section 15.2).
  const declared =
    handlerResponse.status < 200 ? undefined : responses.find(handlerResponse.status);
  if (declared === undefined) {
    throw new Error(`${operationId} answered ${handlerResponse.status}, which is not declared`);
  }
  return declared.write(handlerResponse, accept);
};

/**
 * Serves one request: security, negotiation, parameters, body, handler, response; each step at once where the one before did not
 * have to wait. Security comes before all reading, so that a stranger learns nothing from a malformed request.
 * @param deliver sends the answer
 * @throws HttpError for everything that the caller may be told; anything else is a fault of the server. Or rejects with it
 */
export const serveOperation = (
  compiled: CompiledOperation,
  { operation, path }: RoutedOperation,
  exchange: RequestContext,
  deliver: (answer: HttpResponse) => void,
): MaybePromise<void> => {
  const { request, response, query } = exchange;
  const { headers } = request;
  const { accept } = headers;
  const client = new RequestInfo(exchange);

  const servePrincipal = (principal: Principal | undefined): MaybePromise<void> => {
    const { handler, fail } = compiled;
    if (handler === undefined) {
      throw new HttpError(501, 'not-implemented', `${operation.operationId} is not implemented`);
    }
    if (!compiled.responses.acceptable(accept)) {
      throw new HttpError(406, 'not-acceptable', 'None of the available media types is acceptable');
    }
    const values = compiled.readParameters({ path, query, headers });
    return andThen(compiled.readBody(request, response), (body) =>
      andThen(
        handler(
          {
            path: values.path,
            query: values.query,
            header: values.header,
            cookie: values.cookie,
            body,
            principal,
            client,
            fileInfo,
            fail,
          },
          headers,
        ),
        (handlerResponse) => deliver(writeResponse(compiled, operation, handlerResponse, accept)),
      ),
    );
  };
  return andThen(compiled.authorize(client, path), servePrincipal);
};
