/** "Only by the logged-in user" (`x-logged-in-user`), and who calls where no login is asked for. */

import type { Operation } from '../document/model/operation';
import { HttpError } from '../http/http-error';
import { MalformedText } from '../lang/malformed-text';
import { percentDecode } from '../parameters/percent-decoding';
import { type Authorize, refusedToken, type SecurityContext, unauthenticated } from './authorize';
import { bearerToken, type SecurityRequest } from './credentials';
import type { Principal } from './principal';

/** A bearer token that is sent to a public operation says who calls, and counts; a bad one is ignored. */
export const identifyByToken =
  ({ securityHandlers }: SecurityContext) =>
  async (request: SecurityRequest): Promise<Principal | undefined> => {
    const token = bearerToken(request);
    return token === undefined ? undefined : securityHandlers.bearer?.(token, request);
  };

const refusalOf = (realm: string): ((request: SecurityRequest) => HttpError) => {
  const notLoggedIn = unauthenticated([`Bearer realm="${realm}"`], 'Log in first');
  const notValid = unauthenticated([refusedToken(realm)], 'The token is not valid');
  return (request) => (bearerToken(request) === undefined ? notLoggedIn() : notValid());
};

/** The account that the path names; what is no text is refused as the parameter that it is. */
const accountNamed = (parameter: string, raw = ''): string => {
  try {
    return percentDecode(raw);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new HttpError(400, 'invalid-parameter', 'A parameter does not fit its schema', {
      errors: [{ in: 'path', path: parameter, message: error.message }],
    });
  }
};

/** An account that does not exist is "not found", where the operation declares that; another's is forbidden. */
const refuseOther = async (
  operation: Operation,
  account: string,
  { securityHandlers }: SecurityContext,
): Promise<never> => {
  const missing = operation.responses.find((response) => response.key === '404');
  if (missing !== undefined && (await securityHandlers.accountExists?.(account)) === false) {
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
  const find = async (request: SecurityRequest): Promise<Principal | undefined> =>
    bearerToken(request) === undefined
      ? context.securityHandlers.session?.(request)
      : byToken(request);
  if (!rule.required) return find;
  const refuse = refusalOf(context.realm);
  return async (request, path) => {
    const principal = await find(request);
    if (principal === undefined) throw refuse(request);
    if (principal.username === undefined) {
      throw new HttpError(
        403,
        'forbidden',
        'This operation requires a logged-in user, not a token or API key',
      );
    }
    const account = rule.parameter && accountNamed(rule.parameter, path[rule.parameter]);
    if (account !== undefined && account !== principal.username) {
      await refuseOther(operation, account, context);
    }
    return principal;
  };
};
