/** Which declared response an answer is, and which statuses need no declaration. */

import type { Operation, ResolvedResponse } from '../../../engine';
import type { Intent } from './problem';

/** The response that is declared for the status: by itself, by its range, or by default (OAS 3.0.3, Responses Object). */
export const responseFor = (
  { responses }: Operation,
  status: number,
): ResolvedResponse | undefined => {
  const keys = [String(status), `${Math.trunc(status / 100)}XX`, 'default'];
  return keys
    .map((key) => responses.find((response) => response.key.toUpperCase() === key.toUpperCase()))
    .find((response) => response !== undefined);
};

const isDeclared = ({ responses }: Operation, status: number): boolean =>
  responses.some(({ key }) => key === String(status));

/** Whether somebody may be refused. */
export const isProtected = ({ security, loggedInUser }: Operation): boolean =>
  loggedInUser !== undefined || security.some((one) => Object.keys(one).length > 0);

/** What any server may answer, whatever the document says: too many requests, too large ones. */
const always = [413, 414, 429, 431];

/** What a server may answer to a wrong request, unless the document says how it does. */
const refusalsOf = (operation: Operation): number[] =>
  isDeclared(operation, 400) || isDeclared(operation, 422) ? [404] : [400, 404, 422];

const byIntent: Readonly<Record<Intent, (operation: Operation) => readonly number[]>> = {
  valid: (operation) => (isProtected(operation) ? [401, 403] : []),
  invalid: (operation) => [...refusalsOf(operation), 401, 403, 406, 415],
  unauthorized: () => [401, 403, 404],
  protocol: () => [400, 401, 403, 404, 405, 406, 411, 415, 422, 501],
};

/**
 * Whether a status may come though the document does not declare it. The specification asks for the known errors of the
 * operation itself, not for those of HTTP (OAS 3.0.3, Responses Object).
 */
export const isTolerated = (operation: Operation, status: number, intent: Intent): boolean =>
  always.includes(status) || byIntent[intent](operation).includes(status);
