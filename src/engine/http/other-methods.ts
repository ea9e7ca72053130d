/** The responses to requests whose path has other methods than theirs. */

import { HttpError } from './http-error';
import type { HttpResponse } from './send';

/** @param allow the methods that the path has, which every 405 must name (RFC 9110 section 15.5.6) */
export const methodNotAllowed = (
  allow: string,
  message = 'The path does not have this method',
): HttpError => new HttpError(405, 'method-not-allowed', message, { headers: { Allow: allow } });

/**
 * Answers OPTIONS with the methods that there are (RFC 9110 section 9.3.7).
 * @throws HttpError for any other method
 */
export const otherMethodResponse = (method: string, allow: string): HttpResponse => {
  if (method !== 'OPTIONS') throw methodNotAllowed(allow);
  return { status: 204, headers: { Allow: allow }, body: undefined };
};
