/** Reads from a document which scopes its service knows. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument } from '../../engine';
import type { ServiceScopes } from '../oauth/protocol/scopes';

type Scheme = OpenAPIV3.SecuritySchemeObject;

// RFC 6749 section 3.3, scope-token: what else a document says can never be asked for.
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

const declaredBy = (scheme: Scheme | undefined): [string, unknown][] =>
  scheme?.type === 'oauth2'
    ? Object.values(scheme.flows ?? {}).flatMap((flow) => Object.entries(flow?.scopes ?? {}))
    : [];

/** Declared and required scopes; a document may require what it does not declare. */
export const documentScopes = ({
  definition,
  references,
  operations,
}: ApiDocument): ServiceScopes => {
  const schemes = Object.values(definition.components?.securitySchemes ?? {});
  const declared = schemes.flatMap((scheme) => declaredBy(references.find<Scheme>(scheme)));
  const required = operations
    .flatMap(({ security }) => security.flatMap((requirement) => Object.values(requirement).flat()))
    .filter((scope) => scopeToken.test(scope));
  const known = new Map<string, string | undefined>();
  for (const [scope, description] of declared.filter(([name]) => scopeToken.test(name))) {
    known.set(scope, typeof description === 'string' && description ? description : undefined);
  }
  for (const scope of required) if (!known.has(scope)) known.set(scope, undefined);
  return { known, required: [...new Set(required)] };
};
