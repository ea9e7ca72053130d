/** Security requirements to a verdict: who calls, or 401, or 403 (OAS 3.0.3, Security Requirement Object). */

import type { OpenAPIV3 } from 'openapi-types';
import { HttpError } from '../http/http-error';
import { type Authorize, refusedToken, type SecurityContext, unauthenticated } from './authorize';
import type { Caller } from './caller';
import {
  bearerToken,
  compileScheme,
  impossibleScheme,
  type SchemeCheck,
  type SecurityRequest,
} from './credentials';
import { compileLogin, identifyByToken } from './login';
import type { Operation, SecurityRequirement } from './operation';

const insufficientScope = (realm: string, scopes: readonly string[]): HttpError =>
  new HttpError(403, 'forbidden', `The scopes ${scopes.join(', ')} are required`, {
    headers: {
      'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope", scope="${scopes.join(' ')}"`,
    },
  });

type Schemes = ReadonlyMap<string, SchemeCheck>;
/** By the scheme's name. */
type Callers = Readonly<Record<string, Caller | undefined>>;

const nobody: Callers = Object.freeze({});

/** Asks each scheme once, in order. */
const askSchemes = async (schemes: Schemes, request: SecurityRequest): Promise<Callers> => {
  let callers = nobody;
  for (const [name, scheme] of schemes) {
    const verdict = scheme.verify(request);
    if (verdict !== undefined) callers = { ...callers, [name]: await verdict };
  }
  return callers;
};

/** The scopes that a requirement asks of a scheme beyond those granted; every one is needed. */
const missingScopes = (
  scheme: SchemeCheck | undefined,
  caller: Caller,
  required: readonly string[],
): readonly string[] =>
  scheme?.scoped === true && required.some((scope) => !caller.scopes.includes(scope))
    ? required
    : [];

type Verdict = { readonly caller: Caller | undefined } | { readonly scopes: readonly string[] };

/** One requirement object: all of its schemes must hold. Undefined: a credential is missing or bad. */
const judge = (
  requirement: SecurityRequirement,
  schemes: Schemes,
  callers: Callers,
): Verdict | undefined => {
  let first: Caller | undefined;
  const missing: string[] = [];
  for (const [name, required] of Object.entries(requirement)) {
    const caller = Object.hasOwn(callers, name) ? callers[name] : undefined;
    if (caller === undefined) return undefined;
    first ??= caller;
    missing.push(...missingScopes(schemes.get(name), caller, required));
  }
  return missing.length > 0 ? { scopes: missing } : { caller: first };
};

const compileRequirements = (operation: Operation, context: SecurityContext): Authorize => {
  const { definition, references, verifiers, realm } = context;
  const declared = definition.components?.securitySchemes ?? {};
  const names = new Set(operation.security.flatMap((requirement) => Object.keys(requirement)));
  const schemes: Schemes = new Map(
    [...names].map((name) => {
      const entry = declared[name];
      const scheme = entry && references.follow<OpenAPIV3.SecuritySchemeObject>(entry);
      return [name, scheme ? compileScheme(scheme, verifiers, realm) : impossibleScheme(realm)];
    }),
  );
  const challenges = [...schemes.values()].map((scheme) => scheme.challenge);
  return async (request) => {
    const callers = await askSchemes(schemes, request);
    const verdicts = operation.security.map((requirement) => judge(requirement, schemes, callers));
    const met = verdicts.filter((verdict) => verdict !== undefined && 'caller' in verdict);
    // Where `{}` lets anybody in, a credential that was sent still says who calls.
    if (met.length > 0) return met.find(({ caller }) => caller)?.caller;
    const short = verdicts.find((verdict) => verdict !== undefined && 'scopes' in verdict);
    if (short !== undefined) throw insufficientScope(realm, short.scopes);
    throw bearerToken(request) === undefined
      ? unauthenticated(challenges, 'Credentials are required')
      : unauthenticated(
          challenges.map((challenge) =>
            challenge.startsWith('Bearer ') ? refusedToken(realm) : challenge,
          ),
          'The credentials are not valid',
        );
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
