/** Security requirements name declared schemes and scopes (OAS 3.0.3, Security Requirement Object); OAuth flows name their addresses. */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerOf } from '../../../../base/json-pointer';
import { isPlainObject } from '../../../../base/plain-object';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import type { SecurityRequirement } from '../../model/operation';
import { errorOf, type Rule, type RuleContext, ruleOf, warningOf } from '../rule';

const declaredScopes = (scheme: OpenAPIV3.OAuth2SecurityScheme): Set<string> =>
  new Set(Object.values(scheme.flows ?? {}).flatMap((flow) => Object.keys(flow?.scopes ?? {})));

const requirementViolation = (
  scheme: OpenAPIV3.SecuritySchemeObject | undefined,
  name: string,
  scopes: readonly string[],
): Pick<UnplacedDiagnostic, 'severity' | 'message'> | undefined => {
  if (scheme === undefined) {
    const message = `The security scheme ${name} is not declared, so that nobody can meet this requirement. Declare it under components/securitySchemes.`;
    return { severity: 'error', message };
  }
  if (scheme.type === 'oauth2') {
    const declared = declaredScopes(scheme);
    const missing = scopes.filter((scope) => !declared.has(scope));
    if (missing.length === 0) return undefined;
    const message = `The scheme ${name} does not declare the scopes ${missing.join(', ')}, which are required all the same. Add them to its flows.`;
    return { severity: 'warning', message };
  }
  if (scheme.type === 'openIdConnect' || scopes.length === 0) return undefined;
  const message = `The scheme ${name} is of type ${scheme.type}, which has no scopes. Leave the list empty.`;
  return { severity: 'warning', message };
};

const schemeNamed = (
  { definition, references }: RuleContext,
  name: string,
): OpenAPIV3.SecuritySchemeObject | undefined => {
  const schemes = definition.components?.securitySchemes ?? {};
  const entry = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  return references.find(entry);
};

const requirementDiagnostics = (
  context: RuleContext,
  requirements: readonly SecurityRequirement[],
  steps: readonly string[],
): UnplacedDiagnostic[] =>
  requirements.flatMap((requirement, index) =>
    Object.entries(requirement).flatMap(([name, scopes]): UnplacedDiagnostic[] => {
      const violation = requirementViolation(schemeNamed(context, name), name, scopes);
      if (violation === undefined) return [];
      const make = violation.severity === 'error' ? errorOf : warningOf;
      return [make('security')(pointerOf([...steps, index, name]), violation.message)];
    }),
  );

/** The document's own requirements are told once, whichever operations they hold for. */
export const declaredSecurity: Rule = (context) => [
  ...requirementDiagnostics(context, context.definition.security ?? [], ['security']),
  ...context.operations
    .filter(({ security }) => security !== context.definition.security)
    .flatMap(({ security, path, method }) =>
      requirementDiagnostics(context, security, ['paths', path, method, 'security']),
    ),
];

const addresses: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
  clientCredentials: ['tokenUrl'],
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
};

export const oauthFlows = ruleOf({
  OAuthFlows: ({ value, pointer }) =>
    Object.entries(addresses).flatMap(([type, fields]) => {
      const flow = value[type];
      return fields
        .filter((field) => isPlainObject(flow) && !Object.hasOwn(flow, field))
        .map((field) =>
          errorOf('oauth-flow')(
            `${pointer}/${type}`,
            `Add \`${field}\`, which the ${type} flow needs.`,
          ),
        );
    }),
});
