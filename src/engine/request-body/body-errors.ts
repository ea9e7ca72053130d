/** The errors of bodies: what of them does not fit, and where. */

import { FuelExhausted } from '../../base/fuel';
import { MalformedText } from '../../base/malformed-text';
import { errorAt, HttpError, type ValidationError } from '../../http/http-error';

/** Makes the error of a request whose body is wrong. */
export const invalidBody = (errors: readonly ValidationError[]): HttpError =>
  new HttpError(400, 'invalid-body', 'The request body is invalid', { errors });

/**
 * Throws an error of the body for text that is malformed, or takes too many steps to read.
 * @param at the place in the body of what was read, a JSON Pointer
 */
export const refuseMalformed = (error: unknown, at = ''): never => {
  const refusal = (path: string, message: string, rule: string) =>
    invalidBody([errorAt('body', path, { message, rule })]);
  if (error instanceof MalformedText) throw refusal(at + error.path, error.message, 'syntax');
  if (error instanceof FuelExhausted) throw refusal(at, error.message, 'steps');
  throw error;
};
