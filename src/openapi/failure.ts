/** Which declared status and text answers which failure: inferred from the operation's responses, never hard-wired. */

import { HttpError, type HttpErrorCode } from '../http/http-error';
import type { ResponseRecord } from './operation';

/** The statuses that answer a fault of the request, best first: the first one that the operation declares is taken. */
const preference: Partial<Record<HttpErrorCode, readonly number[]>> = {
  'invalid-parameter': [400, 405, 422],
  'invalid-body': [405, 422],
};

/** Gives an error its declared status and the document's text for it. */
export type SettleFailure = (error: HttpError) => HttpError;

/**
 * Compiles the table for one operation.
 * @param allow the Allow header that every 405 must carry (RFC 9110 section 15.5.6), also where the document uses 405 for
 * invalid input
 */
export const compileFailure = (
  responses: readonly ResponseRecord[],
  allow: string,
): SettleFailure => {
  const texts = new Map(responses.map(({ key, description }) => [key, description]));
  const statusFor = (error: HttpError): number =>
    preference[error.code]?.find((status) => texts.has(String(status))) ?? error.status;
  return (error) => {
    const status = statusFor(error);
    const headers = status === 405 ? { Allow: allow, ...error.headers } : error.headers;
    return new HttpError(status, error.code, texts.get(String(status)) || error.message, {
      headers,
      faults: error.faults,
      cause: error.cause,
    });
  };
};

/** The error behind `fail(status)`: a declared failure with the document's own text. */
export const declaredFailure =
  (operationId: string, responses: readonly ResponseRecord[]) =>
  (status: number): Error => {
    const response = responses.find(({ key }) => key === String(status));
    return response === undefined
      ? new Error(`${operationId} fails with ${status}, which its document does not declare`)
      : new HttpError(status, 'declared', response.description);
  };
