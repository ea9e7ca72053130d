/** Security requirements to a verdict: who calls, or 401, or 403 (OAS 3.0.3, Security Requirement Object). */

import type { Operation } from '../document/model/operation';
import {
  compileScheme,
  impossibleScheme,
  type SchemeCheck,
  type SecurityRequest,
} from './credentials';
import { type Authorize, compileLogin, identifyByToken, type SecurityContext } from './login';
import { adviceOf, insufficientScope, refusalOf } from './refusals';
import type { Principal } from './security-handlers';
import { securitySchemesOf } from './security-schemes';

/** A scheme that a requirement names, by its place, and the scopes that it asks for. */
interface Demand {
  readonly scheme: number;
  readonly scopes: readonly string[];
}

/** Who calls, or the scopes that the caller lacks. */
type Verdict =
  | { readonly principal: Principal | undefined }
  | { readonly scopes: readonly string[] };

/**
 * One requirement object: all of its schemes must hold. Undefined: a credential is missing or bad.
 * @param callers whom each scheme found, in the order of the schemes
 */
const judge = (
  demands: readonly Demand[],
  callers: readonly (Principal | undefined)[],
): Verdict | undefined => {
  const lacking: string[] = [];
  for (const { scheme, scopes } of demands) {
    const granted = callers[scheme]?.scopes;
    if (granted === undefined) return undefined;
    if (!scopes.every((scope) => granted.includes(scope))) lacking.push(...scopes);
  }
  const [first] = demands;
  if (lacking.length > 0) return { scopes: lacking };
  return { principal: first && callers[first.scheme] };
};

/** The best comes first: a known caller, anybody, a caller whose scopes do not do. */
const rank = (verdict: Verdict): number => {
  if ('scopes' in verdict) return 2;
  return verdict.principal === undefined ? 1 : 0;
};

/** The best that any requirement comes to; undefined where none holds. */
const bestVerdict = (
  requirements: readonly (readonly Demand[])[],
  callers: readonly (Principal | undefined)[],
): Verdict | undefined => {
  let best: Verdict | undefined;
  for (const demands of requirements) {
    const verdict = judge(demands, callers);
    if (verdict && (best === undefined || rank(verdict) < rank(best))) best = verdict;
  }
  return best;
};

/** The checks of the schemes that an operation's requirements name, by these names. */
const compileSchemes = (
  { security }: Operation,
  context: SecurityContext,
): ReadonlyMap<string, SchemeCheck> => {
  const declared = securitySchemesOf(context);
  const names = [...new Set(security.flatMap((one) => Object.keys(one)))];
  const checkOf = (name: string): SchemeCheck => {
    const scheme = declared.get(name);
    const scopes = [...new Set(security.flatMap((requirement) => requirement[name] ?? []))];
    return scheme ? compileScheme(scheme, context, scopes) : impossibleScheme(context.realm);
  };
  return new Map(names.map((name) => [name, checkOf(name)]));
};

/** What each requirement accepts, in words; one that nothing satisfies says nothing. */
const acceptedWords = (
  { security }: Operation,
  schemes: ReadonlyMap<string, SchemeCheck>,
): readonly string[] =>
  security.flatMap((requirement) => {
    const words = Object.keys(requirement).map((name) => schemes.get(name)?.words.accepted);
    return words.length === 0 || words.includes(undefined) ? [] : [words.join(' and ')];
  });

/** Says what came of a scheme, without the credential. */
const outcomeOf = (
  scheme: SchemeCheck,
  caller: Principal | undefined,
  request: SecurityRequest,
): string => {
  if (caller !== undefined) return 'accepted';
  return scheme.isSent(request) ? scheme.words.notValid : 'No credential was sent';
};

const compileRequirements = (operation: Operation, context: SecurityContext): Authorize => {
  const { realm, step } = context;
  const byName = compileSchemes(operation, context);
  const names = [...byName.keys()];
  const schemes = [...byName.values()];
  const requirements = operation.security.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]): Demand => {
      const scheme = names.indexOf(name);
      return { scheme, scopes: schemes[scheme]?.scoped === true ? scopes : [] };
    }),
  );
  const advice = adviceOf(acceptedWords(operation, byName));
  const words = schemes.map((scheme) => scheme.words);
  const refuse = refusalOf(words, advice);

  return async (request) => {
    const callers: (Principal | undefined)[] = [];
    for (const [at, scheme] of schemes.entries()) {
      const caller = await scheme.verify(request);
      callers.push(caller);
      step?.(
        { scheme: names[at], outcome: outcomeOf(scheme, caller, request) },
        'Security scheme tried',
      );
    }
    // Any one requirement will do. Where `{}` lets anybody in, a credential that was sent still says who calls.
    const best = bestVerdict(requirements, callers);
    if (best === undefined) {
      throw refuse(schemes.findIndex((one, at) => !callers[at] && one.isSent(request)));
    }
    if ('scopes' in best) throw insufficientScope(realm, best.scopes, advice);
    return best.principal;
  };
};

/** Compiles an operation's security once; both its requirements and its login rule must hold. */
export const compileSecurity = (operation: Operation, context: SecurityContext): Authorize => {
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
