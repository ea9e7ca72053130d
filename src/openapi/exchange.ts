/** One operation, compiled: the way of a request from routing to the answer. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { HttpError } from '../http/http-error';
import type { Answer } from '../http/send';
import type { Authorize } from './authorize';
import type { ReadBody } from './body';
import type { SecurityRequest } from './credentials';
import type { HandlerRequest, OperationTypes } from './handler';
import { fileFacts } from './multipart/file-facts';
import type { RoutedOperation } from './operation-router';
import type { ReadParameters } from './parameter-check';
import type { Reply } from './response';
import type { CompiledResponses } from './responses';

/** A handler as the engine calls it; its types are the generator's business. */
export type UntypedHandler = (request: HandlerRequest<OperationTypes>) => Reply | Promise<Reply>;

/** What answers a request that has been read: a handler, or what stands in for one and looks at the headers. */
export type AnswerRequest = (
  request: HandlerRequest<OperationTypes>,
  headers: IncomingHttpHeaders,
) => Reply | Promise<Reply>;

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

/** Who sends and how is worked out where it is asked for. */
const securityRequest = ({ request, query }: Exchange): SecurityRequest => ({
  method: request.method,
  headers: request.headers,
  query,
  get address() {
    return request.ip ?? '';
  },
  get secure() {
    return request.secure;
  },
});

/**
 * Serves one request: security, negotiation, parameters, body, handler, reply. Security comes before all reading, so that a
 * stranger learns nothing from a malformed request.
 * @throws HttpError for everything that the caller may be told; anything else is a fault of the server
 */
export const serveOperation = async (
  compiled: CompiledOperation,
  { operation, path }: RoutedOperation,
  exchange: Exchange,
): Promise<Answer> => {
  const { request, response, query } = exchange;
  const { accept } = request.headers;
  const facts = securityRequest(exchange);
  const caller = await compiled.authorize(facts, path);
  if (compiled.handler === undefined) {
    throw new HttpError(501, 'not-implemented', `${operation.operationId} is not implemented`);
  }
  if (!compiled.responses.acceptable(accept)) {
    throw new HttpError(406, 'not-acceptable', 'No media type of the answer is acceptable');
  }
  const values = compiled.readParameters({ path, query, headers: request.headers });
  const body = await compiled.readBody(request, response);
  const reply = await compiled.handler(
    {
      ...values,
      body,
      caller,
      client: facts,
      fileFacts,
      fail: compiled.fail,
    },
    request.headers,
  );
  // A 1xx would leave the caller waiting for the final answer (RFC 9110 section 15.2).
  const declared = reply.status < 200 ? undefined : compiled.responses.find(reply.status);
  if (declared === undefined) {
    throw new Error(`${operation.operationId} answered ${reply.status}, which is not declared`);
  }
  return declared.write(reply, accept);
};
