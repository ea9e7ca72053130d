/** Security requirements to a verdict: who calls, or 401, or 403 (OAS 3.0.3, Security Requirement Object). */

import type { OpenAPIV3 } from 'openapi-types';
import type { Operation } from '../document/model/operation';
import { HttpError } from '../http/http-error';
import { compileScheme, impossibleScheme, type SchemeCheck } from './credentials';
import {
  type Authorize,
  compileLogin,
  identifyByToken,
  refusalOf,
  type SecurityContext,
} from './login';
import type { Principal } from './security-handlers';

const insufficientScope = (realm: string, scopes: readonly string[]): HttpError =>
  new HttpError(403, 'forbidden', `The scopes ${scopes.join(', ')} are required`, {
    headers: {
      'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope", scope="${scopes.join(' ')}"`,
    },
  });

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
  const lacking = demands.map(({ scheme, scopes }) => {
    const granted = callers[scheme]?.scopes;
    return granted && (scopes.every((scope) => granted.includes(scope)) ? [] : scopes);
  });
  if (lacking.includes(undefined)) return undefined;
  const scopes = lacking.flatMap((missing) => missing ?? []);
  return scopes.length > 0 ? { scopes } : { principal: callers[demands[0]?.scheme ?? -1] };
};

/** The best comes first: a known caller, anybody, a caller whose scopes do not do. */
const rank = (verdict: Verdict): number => {
  if ('scopes' in verdict) return 2;
  return verdict.principal === undefined ? 1 : 0;
};

const compileRequirements = (operation: Operation, context: SecurityContext): Authorize => {
  const { definition, references, securityHandlers, realm } = context;
  const declared = definition.components?.securitySchemes ?? {};
  const names = [...new Set(operation.security.flatMap((one) => Object.keys(one)))];
  const schemes = names.map((name): SchemeCheck => {
    const entry = declared[name];
    const scheme = entry && references.follow<OpenAPIV3.SecuritySchemeObject>(entry);
    return scheme ? compileScheme(scheme, securityHandlers, realm) : impossibleScheme(realm);
  });
  const requirements = operation.security.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]): Demand => {
      const scheme = names.indexOf(name);
      return { scheme, scopes: schemes[scheme]?.scoped === true ? scopes : [] };
    }),
  );
  const refuse = refusalOf(
    realm,
    schemes.map((scheme) => scheme.challenge),
    'Credentials are required',
    'The credentials are not valid',
  );

  return async (request) => {
    const callers: (Principal | undefined)[] = [];
    for (const scheme of schemes) callers.push(await scheme.verify(request));
    // Any one requirement will do. Where `{}` lets anybody in, a credential that was sent still says who calls.
    const [best] = requirements
      .flatMap((demands) => judge(demands, callers) ?? [])
      .sort((one, other) => rank(one) - rank(other));
    if (best === undefined) throw refuse(request);
    if ('scopes' in best) throw insufficientScope(realm, best.scopes);
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
