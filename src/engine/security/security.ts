/** Security requirements to a verdict: who calls, or 401, or 403 (OAS 3.0.3, Security Requirement Object). */

import type { OpenAPIV3 } from 'openapi-types';
import type { Operation, SecurityRequirement } from '../document/model/operation';
import { HttpError } from '../http/http-error';
import {
  bearerToken,
  compileScheme,
  impossibleScheme,
  type SchemeCheck,
  type SecurityRequest,
} from './credentials';
import {
  type Authorize,
  compileLogin,
  identifyByToken,
  refusedToken,
  type SecurityContext,
  unauthenticated,
} from './login';
import type { Principal } from './security-handlers';

const insufficientScope = (realm: string, scopes: readonly string[]): HttpError =>
  new HttpError(403, 'forbidden', `The scopes ${scopes.join(', ')} are required`, {
    headers: {
      'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope", scope="${scopes.join(' ')}"`,
    },
  });

/** Whom each scheme found, in the order of the schemes. */
type Callers = readonly (Principal | undefined)[];

/** A scheme that a requirement names, by its place, and the scopes that it asks for. */
interface Demand {
  readonly scheme: number;
  readonly scopes: readonly string[];
}

type Verdict =
  | { readonly principal: Principal | undefined }
  | { readonly scopes: readonly string[] };

const lacks = (principal: Principal, scopes: readonly string[]): boolean =>
  scopes.some((scope) => !principal.scopes.includes(scope));

/** One requirement object: all of its schemes must hold. Undefined: a credential is missing or bad. */
const judge = (demands: readonly Demand[], callers: Callers): Verdict | undefined => {
  let first: Principal | undefined;
  let missing: readonly string[] = [];
  for (const { scheme, scopes } of demands) {
    const principal = callers[scheme];
    if (principal === undefined) return undefined;
    first ??= principal;
    if (lacks(principal, scopes)) missing = [...missing, ...scopes];
  }
  return missing.length > 0 ? { scopes: missing } : { principal: first };
};

const rank = (verdict: Verdict | undefined): number => {
  if (verdict === undefined) return 0;
  if ('scopes' in verdict) return 1;
  return verdict.principal === undefined ? 2 : 3;
};

/** The first of the best: a known caller, anybody, a caller whose scopes do not do, nobody. */
const better = (one: Verdict | undefined, other: Verdict | undefined): Verdict | undefined =>
  rank(other) > rank(one) ? other : one;

const compileDemands = (
  requirement: SecurityRequirement,
  names: readonly string[],
  schemes: readonly SchemeCheck[],
): readonly Demand[] =>
  Object.entries(requirement).map(([name, scopes]) => {
    const scheme = names.indexOf(name);
    return { scheme, scopes: schemes[scheme]?.scoped === true ? scopes : [] };
  });

const compileRequirements = (operation: Operation, context: SecurityContext): Authorize => {
  const { definition, references, securityHandlers, realm } = context;
  const declared = definition.components?.securitySchemes ?? {};
  const names = [...new Set(operation.security.flatMap((one) => Object.keys(one)))];
  const schemes = names.map((name): SchemeCheck => {
    const entry = declared[name];
    const scheme = entry && references.follow<OpenAPIV3.SecuritySchemeObject>(entry);
    return scheme ? compileScheme(scheme, securityHandlers, realm) : impossibleScheme(realm);
  });
  const requirements = operation.security.map((one) => compileDemands(one, names, schemes));
  const challenges = schemes.map((scheme) => scheme.challenge);

  const missing = unauthenticated(challenges, 'Credentials are required');
  const notValid = unauthenticated(
    challenges.map((challenge) =>
      challenge.startsWith('Bearer ') ? refusedToken(realm) : challenge,
    ),
    'The credentials are not valid',
  );
  const refusal = (request: SecurityRequest): HttpError =>
    bearerToken(request) === undefined ? missing() : notValid();

  /** Any one requirement will do. Where `{}` lets anybody in, a credential that was sent still says who calls. */
  const settle = (callers: Callers, request: SecurityRequest): Principal | undefined => {
    let best: Verdict | undefined;
    for (const demands of requirements) best = better(best, judge(demands, callers));
    if (best === undefined) throw refusal(request);
    if ('scopes' in best) throw insufficientScope(realm, best.scopes);
    return best.principal;
  };

  return async (request) => {
    const callers: (Principal | undefined)[] = [];
    for (const scheme of schemes) callers.push(await scheme.verify(request));
    return settle(callers, request);
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
