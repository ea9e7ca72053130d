/** Makes an HttpError of whatever was thrown. */

import { HttpError } from './http-error';

/** The status that Express and its middleware put on errors of the request; undefined on any other error. */
const clientStatus = (error: unknown): number | undefined => {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : Number.NaN;
  return status >= 400 && status < 500 ? status : undefined;
};

/** What an error of a lower floor says of itself where the fault passes; its message is fit for callers. */
interface PassingFailure extends Error {
  /** Undefined: asking again by itself is not a good idea. */
  readonly retryAfterSeconds: number | undefined;
}

const isPassing = (error: unknown): error is PassingFailure =>
  error instanceof Error && 'retryAfterSeconds' in error;

/** RFC 9110 section 15.6.4 */
const serviceUnavailable = (error: PassingFailure): HttpError =>
  new HttpError(503, 'unavailable', error.message, {
    cause: error.cause ?? error,
    ...(error.retryAfterSeconds !== undefined && {
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
    }),
  });

/** The error itself, a fault of the request (a malformed URL), or a fault of the server, told without detail. */
export const asHttpError = (error: unknown): HttpError => {
  if (error instanceof HttpError) return error;
  if (isPassing(error)) return serviceUnavailable(error);
  const status = clientStatus(error);
  return status === undefined
    ? new HttpError(500, 'internal', 'The server failed to answer this request', { cause: error })
    : new HttpError(status, 'malformed-request', 'The request cannot be read');
};
