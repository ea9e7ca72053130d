/** One operation, compiled: the way of a request from routing to the answer. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import type { Operation } from '../document/model/operation';
import { HttpError } from '../http/http-error';
import type { Answer } from '../http/send';
import { type Awaitable, whenReady } from '../lang/awaitable';
import { fileFacts } from '../media-types/multipart/file-facts';
import type { ReadParameters } from '../parameters/parameter-check';
import type { RoutedOperation } from '../paths/operation-router';
import type { ReadBody } from '../request-body/body';
import type { Reply } from '../responses/response';
import type { CompiledResponses } from '../responses/responses';
import type { Authorize } from '../security/authorize';
import type { Caller } from '../security/caller';
import type { SecurityRequest } from '../security/credentials';
import type { HandlerRequest, OperationTypes } from './handler';

/** A handler as the engine calls it; its types are the generator's business. */
export type UntypedHandler = (request: HandlerRequest<OperationTypes>) => Awaitable<Reply>;

/** What answers a request that has been read: a handler, or what stands in for one and looks at the headers. */
export type AnswerRequest = (
  request: HandlerRequest<OperationTypes>,
  headers: IncomingHttpHeaders,
) => Awaitable<Reply>;

/** A request and the place for its answer. */
export interface Exchange {
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
  readonly handler: AnswerRequest | undefined;
}

/** The caller's address and transport are worked out where they are asked for, by accessors that all requests share. */
class RequestFacts implements SecurityRequest {
  readonly #request: Request;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;

  constructor({ request, query }: Exchange) {
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
const writeReply = (
  { responses }: CompiledOperation,
  { operationId }: Operation,
  reply: Reply,
  accept: string | undefined,
): Answer => {
  // A 1xx would leave the caller waiting for the final answer (RFC 9110 section 15.2).
  const declared = reply.status < 200 ? undefined : responses.find(reply.status);
  if (declared === undefined) {
    throw new Error(`${operationId} answered ${reply.status}, which is not declared`);
  }
  return declared.write(reply, accept);
};

/**
 * Serves one request: security, negotiation, parameters, body, handler, reply; each step at once where the one before did not
 * have to wait. Security comes before all reading, so that a stranger learns nothing from a malformed request.
 * @param deliver sends the answer
 * @throws HttpError for everything that the caller may be told; anything else is a fault of the server. Or rejects with it
 */
export const serveOperation = (
  compiled: CompiledOperation,
  { operation, path }: RoutedOperation,
  exchange: Exchange,
  deliver: (answer: Answer) => void,
): Awaitable<void> => {
  const { request, response, query } = exchange;
  const { headers } = request;
  const { accept } = headers;
  const client = new RequestFacts(exchange);

  const serveCaller = (caller: Caller | undefined): Awaitable<void> => {
    const { handler, fail } = compiled;
    if (handler === undefined) {
      throw new HttpError(501, 'not-implemented', `${operation.operationId} is not implemented`);
    }
    if (!compiled.responses.acceptable(accept)) {
      throw new HttpError(406, 'not-acceptable', 'No media type of the answer is acceptable');
    }
    const values = compiled.readParameters({ path, query, headers });
    return whenReady(compiled.readBody(request, response), (body) =>
      whenReady(
        handler(
          {
            path: values.path,
            query: values.query,
            header: values.header,
            cookie: values.cookie,
            body,
            caller,
            client,
            fileFacts,
            fail,
          },
          headers,
        ),
        (reply) => deliver(writeReply(compiled, operation, reply, accept)),
      ),
    );
  };
  return whenReady(compiled.authorize(client, path), serveCaller);
};
