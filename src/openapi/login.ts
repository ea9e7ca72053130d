/** "Only by the logged-in user" (`x-logged-in-user`), and who calls where nobody in particular is asked for. */

import { HttpError } from '../http/http-error';
import { type Authorize, refusedToken, type SecurityContext, unauthenticated } from './authorize';
import type { Caller } from './caller';
import { bearerToken, type SecurityRequest } from './credentials';
import type { Operation } from './operation';

/** A bearer token that is sent to a public operation says who calls, and counts; a bad one is ignored. */
export const identifyByToken =
  ({ verifiers }: SecurityContext) =>
  async (request: SecurityRequest): Promise<Caller | undefined> => {
    const token = bearerToken(request);
    return token === undefined ? undefined : verifiers.bearer?.(token, request);
  };

const notLoggedIn = (request: SecurityRequest, realm: string): HttpError =>
  bearerToken(request) === undefined
    ? unauthenticated([`Bearer realm="${realm}"`], 'Log in first')
    : unauthenticated([refusedToken(realm)], 'The token is not valid');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Nobody's account is "not found", where the operation declares that; somebody else's is forbidden. */
const refuseOther = async (
  operation: Operation,
  account: string,
  { verifiers }: SecurityContext,
): Promise<never> => {
  const missing = operation.responses.find((response) => response.key === '404');
  if (missing !== undefined && (await verifiers.accountExists?.(account)) === false) {
    throw new HttpError(404, 'declared', missing.description);
  }
  throw new HttpError(403, 'forbidden', 'Only the logged-in user of that name may do this');
};

/** Compiles the rule: only a login counts, and where a path parameter is named, only that account's. */
export const compileLogin = (
  operation: Operation,
  rule: NonNullable<Operation['loggedInUser']>,
  context: SecurityContext,
): Authorize => {
  const byToken = identifyByToken(context);
  const find = async (request: SecurityRequest): Promise<Caller | undefined> =>
    bearerToken(request) === undefined ? context.verifiers.session?.(request) : byToken(request);
  if (!rule.required) return find;
  return async (request, path) => {
    const caller = await find(request);
    if (caller === undefined) throw notLoggedIn(request, context.realm);
    if (caller.loggedInAs === undefined) {
      throw new HttpError(403, 'forbidden', 'A login is required; this credential is none');
    }
    const account = rule.parameter && decoded(path[rule.parameter] ?? '');
    if (account !== undefined && account !== caller.loggedInAs) {
      await refuseOther(operation, account, context);
    }
    return caller;
  };
};
