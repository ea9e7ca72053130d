/**
 * The steps of a request, and the statuses that each may fail with:
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
import { asHttpError, HttpError, otherMethodResponse } from '../http/http-error';
import { splitTarget } from '../http/request-head';
import { type HttpResponse, send } from '../http/send';
import { type Exchange, type Routes, type Service, serveOperation } from './serve-operation';

/** Leaves a request to other routes, which send the response themselves; rejects with their error, or 404. */
const passOn = (routes: Routes | undefined, { request, response }: Exchange): Promise<never> =>
  new Promise((_resolve, reject) => {
    const next = (error?: unknown): void =>
      reject(error ?? new HttpError(404, 'route-not-found', 'No operation has this path'));
    if (routes === undefined) next();
    else routes(request, response, next);
  });

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
  if (response.headersSent) {
    log.error({ err: error }, 'A response was cut off');
    return;
  }
  const failure = asHttpError(error);
  if (failure.status >= 500) log.error({ err: failure.cause ?? failure }, failure.message);
  // The rest of such a body is not worth waiting for.
  if (failure.status === 413 && !request.complete) response.shouldKeepAlive = false;
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
