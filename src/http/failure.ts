/** Reports how a request ended: sends the response to one that failed, and keeps its outcome for logs. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../model/operation';
import type { Principal } from './caller';
import { asHttpError, type HttpError, reasonsOf } from './http-error';
import { type HttpResponse, requestIdOf, send } from './send';

/** A log for problems of the document and of the server; pino's loggers fit. */
export interface ServiceLog {
  error(fields: object, message: string): void;
  /** Logs each step of each request, without secrets; undefined if steps are not logged. */
  readonly step?: ((fields: object, message: string) => void) | undefined;
}

/** Makes another body for an error than the document's; undefined to keep that one. */
export type WritePage = (
  error: Pick<HttpError, 'status' | 'message'>,
) => Pick<HttpResponse, 'headers' | 'body'> | undefined;

/** Turns an error into its response. A page is asked for only where the operation declares no HTML of its own. */
export type WriteError = (
  error: HttpError,
  accept: string | undefined,
  page?: WritePage,
) => HttpResponse;

/** Returns the page for a failure, in place of the declared response; undefined if the request gets the declared one. */
export type ErrorPage = (request: IncomingMessage) => WritePage | undefined;

/** The outcome of a request, for logs. */
interface Outcome {
  operation?: Operation;
  caller?: Principal | undefined;
  failure?: HttpError;
}

const outcome = Symbol('outcome of the request');

/** A response with the outcome of its request: properties, since each entry of a WeakMap costs the garbage collector. */
interface TracedResponse extends ServerResponse {
  [outcome]?: Outcome;
}

export const outcomeOf = (response: TracedResponse): Outcome => (response[outcome] ??= {});

/** Returns the operation that a request has reached, for logs; undefined if it has reached none. */
export const operationOf = (response: TracedResponse): Operation | undefined =>
  response[outcome]?.operation;

/** Returns the caller whose credentials were accepted, for logs; undefined for a request without credentials. */
export const callerOf = (response: TracedResponse): Principal | undefined =>
  response[outcome]?.caller;

/** Returns the failure that a response reports, for logs; undefined if it reports none. */
export const failureOf = (response: TracedResponse): HttpError | undefined =>
  response[outcome]?.failure;

/** The means to report a failure. */
interface FailureOptions {
  readonly log: ServiceLog;
  readonly writeError: WriteError;
  readonly errorPage?: ErrorPage | undefined;
}

/** Sends and logs the failure of a request; logs it alone once the response has begun. */
export const sendFailure = async (
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { log, writeError, errorPage }: FailureOptions,
): Promise<void> => {
  const operation = operationOf(response)?.operationId;
  const requestId = requestIdOf(response);
  if (response.headersSent) {
    log.error({ operation, requestId, err: error }, 'A response was cut off');
    return;
  }
  const failure = asHttpError(error);
  const { status, code, message, cause = failure } = failure;
  outcomeOf(response).failure = failure;
  log.step?.({ status, code, reasons: reasonsOf(failure) }, 'Request refused');
  if (status >= 500) log.error({ operation, requestId, err: cause }, message);
  // The rest of such a body is not worth waiting for.
  if (status === 413 && !request.complete) response.shouldKeepAlive = false;
  const page = errorPage?.(request);
  await send(request, response, writeError(failure, request.headers.accept, page));
};
