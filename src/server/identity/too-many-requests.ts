/** The error for a limit that is used up. */

import { HttpError } from '../../engine';

/** HttpError 429 (RFC 6585 section 4) with `Retry-After` in whole seconds. Times are milliseconds since 1970. */
export const tooManyRequests = (message: string, now: number, endsAt: number): HttpError =>
  new HttpError(429, 'too-many-requests', message, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil((endsAt - now) / 1000))) },
  });
