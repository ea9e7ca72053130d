/** Failures of requests: their responses, and what logs say of them. */

import type { Operation } from '../model/operation';
import type { Exchange, ServiceLog } from './exchange';
import { asHttpError, HttpError, loggedError, reasonsOf } from './http-error';
import type { RequestHead } from './request';
import type { HttpResponse } from './send';

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
export type ErrorPage = (request: RequestHead) => WritePage | undefined;

/**
 * Returns what is sent in place of the response to an error: another error, which is written as the document declares it, or a whole
 * response; undefined to keep the error.
 * @example (error) => new HttpError(error.status, error.code, translate(error.message))
 */
export type ReplaceError = (
  error: HttpError,
  request: RequestHead,
  operation: Operation | undefined,
) => Replacement | Promise<Replacement>;

type Replacement = HttpError | HttpResponse | undefined;

/** Sends and logs the failure of a request; logs it alone once a response has begun. Rejects where none can be sent. */
export const sendFailure = async (
  exchange: Exchange,
  error: unknown,
  means: {
    readonly log: ServiceLog;
    readonly writeError: WriteError;
    readonly errorPage?: ErrorPage | undefined;
    readonly replaceError?: ReplaceError | undefined;
  },
): Promise<void> => {
  const { log, writeError, errorPage, replaceError } = means;
  const { request, outcome } = exchange;
  const fields = () => ({
    operation: outcome.operation?.operationId,
    requestId: exchange.requestId,
  });
  if (exchange.hasBegun) {
    log.error({ ...fields(), err: loggedError(error) }, 'A response was cut off');
    return;
  }
  const failure = asHttpError(error);
  const { status, code, message, cause = failure } = failure;
  outcome.failure = failure;
  log.step?.(
    { requestId: exchange.requestId, status, code, reasons: reasonsOf(failure) },
    'Request refused',
  );
  if (status >= 500) log.error({ ...fields(), err: loggedError(cause) }, message);
  const write = (answered: HttpError) =>
    writeError(answered, request.headers.accept, errorPage?.(request));
  const replace = () => replaceError?.(failure, request, outcome.operation);
  /** Sends the answer if there is one. What a program gives may have a status or a header that HTTP does not allow. */
  const attempt = async (name: string, answerOf: () => ReturnType<ReplaceError>) => {
    try {
      const answer = await answerOf();
      if (answer === undefined) return false;
      await exchange.send(answer instanceof HttpError ? write(answer) : answer);
      return true;
    } catch (err) {
      log.error({ ...fields(), err: loggedError(err) }, `${name} failed`);
      return exchange.hasBegun;
    }
  };
  if (replaceError !== undefined && (await attempt('replaceError', replace))) return;
  if (await attempt('The response to an error', () => failure)) return;
  await exchange.send(write(asHttpError(failure.cause)));
};
