/** Which declared status and text answers which failure: inferred from the operation's responses, never hard-wired. */

import { STATUS_CODES } from 'node:http';
import type { ResolvedResponse } from '../document/model/operation';
import { HttpError, type HttpErrorCode, noHeaders } from '../http/http-error';
import { sharedHeaders } from '../http/response-head';
import { type HandlerResponse, responseFinder } from './response';

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

/** The error behind `fail(status, content)`: what was thrown is answered as if the handler had returned it. */
export class ThrownResponse extends HttpError {
  readonly response: HandlerResponse;

  constructor(response: HandlerResponse, text: string) {
    super(response.status, 'declared', text);
    this.response = response;
  }
}

/**
 * Makes the errors behind `fail`. Their text is the description of the exact status; that of a range or of `default` speaks
 * of many errors, and the name of the status stands in its place.
 */
export const declaredError = (operationId: string, responses: readonly ResolvedResponse[]) => {
  const find = responseFinder(responses);
  return (status: number, content?: Omit<HandlerResponse, 'status'>): Error => {
    const response = status < 400 ? undefined : find(status);
    if (response === undefined) {
      const reason = 'which its document does not declare as a failure';
      return new Error(`${operationId} fails with ${status}, ${reason}`);
    }
    const own = STATUS_CODES[status] ?? 'The request failed';
    const text = response.key === String(status) ? response.description : own;
    return content === undefined
      ? new HttpError(status, 'declared', text)
      : new ThrownResponse({ ...content, status }, text);
  };
};
