/** Compiles the security of an operation: its requirements and the rule "only by the logged-in user" (`x-logged-in-user`). */

import { MalformedText } from '../../base/malformed-text';
import type { Principal } from '../../http/caller';
import { HttpError } from '../../http/http-error';
import { asksForUser } from '../../model/document';
import type { Operation } from '../../model/operation';
import { invalidParameters } from '../parameters/parameters';
import { percentDecode } from '../parameters/typed-value';
import {
  bearerToken,
  compileScheme,
  impossibleScheme,
  type SchemeCheck,
  type SecurityContext,
  type SecurityRequest,
} from './credentials';
import { adviceOf, bearerWords, insufficientScope, loginRequired, refusalOf } from './refusals';

/**
 * Lets a request in: gives the caller, or undefined where no caller is asked for.
 * @param path the raw values of the path template's names
 * @throws HttpError 401 with a challenge, 403, or the error of a security handler
 */
export type Authorize = (
  request: SecurityRequest,
  path: Readonly<Record<string, string>>,
) => Promise<Principal | undefined>;

/** The parts of an operation that say who may call it. */
export type SecuredOperation = Pick<Operation, 'security' | 'loggedInUser' | 'responses'>;

/** Identifies the caller of a public operation by a bearer token; a bad one is ignored. */
const identifyByToken =
  ({ securityHandlers }: SecurityContext) =>
  async (request: SecurityRequest): Promise<Principal | undefined> => {
    const token = bearerToken(request);
    return token === undefined ? undefined : securityHandlers.bearer?.(token, request, '');
  };

/** Returns the account that the path names; malformed text is refused like any bad parameter. */
const accountNamed = (parameter: string, raw = ''): string => {
  try {
    return percentDecode(raw);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    const { message } = error;
    throw invalidParameters([{ in: 'path', path: parameter, message, rule: 'syntax' }]);
  }
};

/** Compiles the rule: only a login counts, and where a path parameter is named, only that account's. */
const compileLogin = (
  operation: SecuredOperation,
  rule: NonNullable<Operation['loggedInUser']>,
  context: SecurityContext,
): Authorize => {
  const byToken = identifyByToken(context);
  const find = async (request: SecurityRequest): Promise<Principal | undefined> =>
    bearerToken(request) === undefined
      ? context.securityHandlers.session?.(request)
      : byToken(request);
  if (!rule.required) return find;
  const { realm, signInUrl, securityHandlers } = context;
  const missing = operation.responses.find((response) => response.key === '404');
  const words = bearerWords(realm, undefined, [], signInUrl);
  const source = signInUrl === undefined ? '' : `, from ${signInUrl}`;
  const advice = adviceOf([`the token of a login as a bearer token${source}`]);
  const refuse = refusalOf([words], advice, 'Log in first');
  const badScheme = (request: SecurityRequest) => (bearerToken(request) === undefined ? -1 : 0);
  return async (request, path) => {
    const principal = await find(request);
    if (principal === undefined) throw refuse(badScheme(request), await context.signInProblem?.());
    if (principal.username === undefined) throw loginRequired(realm, advice);
    const account = rule.parameter && accountNamed(rule.parameter, path[rule.parameter]);
    if (account === undefined || account === principal.username) return principal;
    // Another's account; one that does not exist is "not found", where the operation declares that.
    if (missing !== undefined && (await securityHandlers.accountExists?.(account)) === false) {
      throw new HttpError(404, 'declared', missing.description);
    }
    throw new HttpError(403, 'forbidden', 'Only the logged-in user of that name may do this');
  };
};

/** A scheme that a requirement names, by its place, and the scopes that it asks for, or the roles (OAS 3.1.2, section 4.8.30). */
interface Demand {
  readonly scheme: number;
  readonly scopes: readonly string[];
  readonly scoped: boolean;
}

interface Verdict {
  readonly principal?: Principal | undefined;
  readonly scopes?: readonly string[];
}

/**
 * Judges one requirement object, all of whose schemes must hold; undefined where a credential is missing or bad.
 * @param callers the caller by each scheme, in the order of the schemes
 */
const judge = (
  demands: readonly Demand[],
  callers: readonly (Principal | undefined)[],
): Verdict | undefined => {
  const lacking: string[] = [];
  for (const { scheme, scopes, scoped } of demands) {
    const granted = callers[scheme]?.scopes;
    if (granted === undefined) return undefined;
    const isCompared = scoped || granted.length > 0;
    if (isCompared && !scopes.every((scope) => granted.includes(scope))) lacking.push(...scopes);
  }
  const [first] = demands;
  if (lacking.length > 0) return { scopes: lacking };
  return { principal: first && callers[first.scheme] };
};

/** Returns the best verdict: a known caller, else an anonymous one, else the first caller who lacks scopes. */
const bestOf = (verdicts: readonly (Verdict | undefined)[]): Verdict | undefined =>
  verdicts.find((verdict) => verdict?.principal !== undefined) ??
  verdicts.find((verdict) => verdict !== undefined && verdict.scopes === undefined) ??
  verdicts.find((verdict) => verdict !== undefined);

/** Describes the outcome of a scheme, without the credential. */
const outcomeOf = (
  scheme: SchemeCheck,
  caller: Principal | undefined,
  request: SecurityRequest,
): string => {
  if (caller !== undefined) return 'accepted';
  return scheme.isSent(request) ? scheme.words.notValid : 'No credential was sent';
};

const compileRequirements = (operation: SecuredOperation, context: SecurityContext): Authorize => {
  const { realm, step, securitySchemes } = context;
  const { security } = operation;
  const signInProblem = asksForUser(operation, securitySchemes) ? context.signInProblem : undefined;
  const names = [...new Set(security.flatMap((requirement) => Object.keys(requirement)))];
  const schemes = names.map((name): SchemeCheck => {
    const scheme = securitySchemes.get(name);
    const scopes = [...new Set(security.flatMap((requirement) => requirement[name] ?? []))];
    return scheme ? compileScheme(name, scheme, context, scopes) : impossibleScheme(realm);
  });
  const requirements = security.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]): Demand => {
      const scheme = names.indexOf(name);
      return { scheme, scopes, scoped: schemes[scheme]?.scoped === true };
    }),
  );
  // A requirement that no credential satisfies is left out.
  const accepted = requirements.flatMap((demands) => {
    const words = demands.map(({ scheme }) => schemes[scheme]?.words.accepted);
    return words.length === 0 || words.includes(undefined) ? [] : [words.join(' and ')];
  });
  const advice = adviceOf(accepted);
  const words = schemes.map((scheme) => scheme.words);
  const refuse = refusalOf(words, advice);

  return async (request) => {
    const callers: (Principal | undefined)[] = [];
    for (const [at, scheme] of schemes.entries()) {
      const caller = await scheme.verify(request, names[at] ?? '');
      callers.push(caller);
      step?.(
        {
          requestId: request.requestId,
          scheme: names[at],
          outcome: outcomeOf(scheme, caller, request),
        },
        'Security scheme tried',
      );
    }
    // Any one requirement suffices. Where `{}` allows anonymous callers, a credential that was sent still identifies the caller.
    const best = bestOf(requirements.map((demands) => judge(demands, callers)));
    if (best === undefined) {
      const bad = schemes.findIndex((scheme, at) => !callers[at] && scheme.isSent(request));
      throw refuse(bad, await signInProblem?.());
    }
    if (best.scopes !== undefined) throw insufficientScope(realm, best.scopes, advice);
    return best.principal;
  };
};

/** Compiles an operation's security once; both its requirements and its login rule must hold. */
export const compileSecurity = (
  operation: SecuredOperation,
  context: SecurityContext,
): Authorize => {
  const checks: Authorize[] = [];
  if (operation.security.length > 0) checks.push(compileRequirements(operation, context));
  if (operation.loggedInUser !== undefined) {
    checks.push(compileLogin(operation, operation.loggedInUser, context));
  }
  const [first = identifyByToken(context), second] = checks;
  if (second === undefined) return first;
  return async (request, path) => {
    const required = await first(request, path);
    return (await second(request, path)) ?? required;
  };
};
