/** What deciding about a caller means, and the rule "only by the logged-in user" (`x-logged-in-user`). */

import type { OpenAPIV3 } from 'openapi-types';
import { MalformedText } from '../../base/malformed-text';
import type { Operation } from '../document/model/operation';
import type { References } from '../document/references/references';
import { HttpError } from '../http/http-error';
import { percentDecode } from '../parameters/typed-value';
import { bearerToken, type SchemeContext, type SecurityRequest } from './credentials';
import { adviceOf, bearerWords, challengeOf, refusalOf } from './refusals';
import type { Principal } from './security-handlers';

/**
 * Lets a request in: gives the caller, or undefined where no caller is asked for.
 * @param path the raw values of the path template's names
 * @throws HttpError 401 with a challenge, 403, or what a security handler throws
 */
export type Authorize = (
  request: SecurityRequest,
  path: Readonly<Record<string, string>>,
) => Promise<Principal | undefined>;

/** What security is compiled from. */
export interface SecurityContext extends SchemeContext {
  readonly definition: OpenAPIV3.Document;
  readonly references: References;
  /** Told each scheme that is tried, and what came of it. */
  readonly step?: ((fields: object, message: string) => void) | undefined;
}

/** A bearer token that is sent to a public operation says who calls, and counts; a bad one is ignored. */
export const identifyByToken =
  ({ securityHandlers }: SecurityContext) =>
  async (request: SecurityRequest): Promise<Principal | undefined> => {
    const token = bearerToken(request);
    return token === undefined ? undefined : securityHandlers.bearer?.(token, request);
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

/** Another credential than a login is good, and does not do. */
const loginRequired = (realm: string, advice: string): HttpError =>
  new HttpError(
    403,
    'forbidden',
    `This operation requires a logged-in user, not a token or API key${advice}`,
    {
      headers: {
        'WWW-Authenticate': challengeOf('Bearer', [
          ['realm', realm],
          ['error', 'insufficient_scope'],
          ['error_description', 'The token of a login is required'],
        ]),
      },
    },
  );

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
  const { realm, signInUrl } = context;
  const words = bearerWords(realm, { type: 'http', scheme: 'bearer' }, [], signInUrl);
  const source = signInUrl === undefined ? '' : `, from ${signInUrl}`;
  const advice = adviceOf([`the token of a login as a bearer token${source}`]);
  const refuse = refusalOf([words], advice, 'Log in first');
  const badScheme = (request: SecurityRequest) => (bearerToken(request) === undefined ? -1 : 0);
  return async (request, path) => {
    const principal = await find(request);
    if (principal === undefined) throw refuse(badScheme(request));
    if (principal.username === undefined) throw loginRequired(realm, advice);
    const account = rule.parameter && accountNamed(rule.parameter, path[rule.parameter]);
    if (account !== undefined && account !== principal.username) {
      await refuseOther(operation, account, context);
    }
    return principal;
  };
};
