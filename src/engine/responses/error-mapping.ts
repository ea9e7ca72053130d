/** Which declared status and text answers which failure: inferred from the operation's responses, never hard-wired. */

import type { ResolvedResponse } from '../document/model/operation';
import { HttpError, type HttpErrorCode, noHeaders } from '../http/http-error';
import { sharedHeaders } from '../http/response-head';

/** The statuses that answer a fault of the request, best first: the first one that the operation declares is taken. */
const preference: Partial<Record<HttpErrorCode, readonly number[]>> = {
  'invalid-parameter': [400, 405, 422],
  'invalid-body': [405, 422],
};

/** What the caller is told of an error. */
export interface ErrorResponse
  extends Pick<HttpError, 'status' | 'code' | 'message' | 'headers' | 'errors'> {
  /** The document's text for all errors of the status, which `message` gives too; undefined where it has none. */
  readonly title: string | undefined;
  /** What happened to this request. */
  readonly detail: string;
}

/** Gives an error its declared status and the document's text for it. */
export type MapError = (error: HttpError) => ErrorResponse;

/**
 * Compiles the table for one operation.
 * @param allow the Allow header that every 405 must carry (RFC 9110 section 15.5.6), also where the document uses 405 for
 * invalid input
 */
export const compileErrorMapping = (
  responses: readonly ResolvedResponse[],
  allow: string,
): MapError => {
  const texts = new Map(responses.map(({ key, description }) => [key, description]));
  const statusFor = (error: HttpError): number =>
    preference[error.code]?.find((status) => texts.has(String(status))) ?? error.status;
  const allowed = sharedHeaders({ Allow: allow });
  const headersOf = (status: number, { headers }: HttpError): HttpError['headers'] => {
    if (status !== 405) return headers;
    return headers === noHeaders ? allowed : { ...allowed, ...headers };
  };
  return (error) => {
    const { code, message, errors } = error;
    const status = statusFor(error);
    const headers = headersOf(status, error);
    const title = texts.get(String(status)) || undefined;
    return { status, code, message: title ?? message, title, detail: message, headers, errors };
  };
};

/** The error behind `fail(status)`: a declared failure with the document's own text. */
export const declaredError =
  (operationId: string, responses: readonly ResolvedResponse[]) =>
  (status: number): Error => {
    const response = responses.find(({ key }) => key === String(status));
    return response === undefined
      ? new Error(`${operationId} fails with ${status}, which its document does not declare`)
      : new HttpError(status, 'declared', response.description);
  };
