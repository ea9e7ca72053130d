/** Security requirements name declared schemes and declared scopes (OAS 3.0.3, Security Requirement Object). */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerOf } from '../json-pointer';
import type { Operation } from '../operation';
import type { Finding } from '../problem';
import type { Rule, RuleContext } from './rule';

const declaredScopes = (scheme: OpenAPIV3.OAuth2SecurityScheme): Set<string> =>
  new Set(Object.values(scheme.flows ?? {}).flatMap((flow) => Object.keys(flow?.scopes ?? {})));

/** What is wrong with one scheme of one requirement; undefined where nothing is. */
const requirementFault = (
  scheme: OpenAPIV3.SecuritySchemeObject | undefined,
  name: string,
  scopes: readonly string[],
): string | undefined => {
  if (scheme === undefined) {
    return `The security scheme ${name} is not declared; the requirement can never be met`;
  }
  if (scheme.type === 'oauth2') {
    const declared = declaredScopes(scheme);
    const missing = scopes.filter((scope) => !declared.has(scope));
    return missing.length === 0
      ? undefined
      : `The scheme ${name} does not declare the scopes ${missing.join(', ')}; they are required all the same`;
  }
  return scheme.type === 'openIdConnect' || scopes.length === 0
    ? undefined
    : `The scheme ${name} is of type ${scheme.type}, which has no scopes; the list must be empty`;
};

const schemeNamed = (
  { definition, references }: RuleContext,
  name: string,
): OpenAPIV3.SecuritySchemeObject | undefined => {
  const entry = definition.components?.securitySchemes?.[name];
  return entry === undefined ? undefined : references.follow(entry);
};

const operationFindings = (context: RuleContext, operation: Operation): Finding[] => {
  const own =
    context.definition.paths[operation.path]?.[operation.method as OpenAPIV3.HttpMethods]?.security;
  const steps =
    own === undefined ? ['security'] : ['paths', operation.path, operation.method, 'security'];
  return operation.security.flatMap((requirement, index) =>
    Object.entries(requirement).flatMap(([name, scopes]): Finding[] => {
      const message = requirementFault(schemeNamed(context, name), name, scopes);
      return message === undefined
        ? []
        : [{ severity: 'warning', pointer: pointerOf([...steps, index, name]), message }];
    }),
  );
};

export const declaredSecurity: Rule = (context) =>
  context.operations.flatMap((operation) => operationFindings(context, operation));
