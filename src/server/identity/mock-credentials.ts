/** Accepts any credential: for trying out a document that has no handlers, and so nobody's data. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument, Principal, SecurityHandlers } from '../../engine';

const schemeNames = ({ definition, references }: ApiDocument): readonly string[] =>
  Object.values(definition.components?.securitySchemes ?? {}).flatMap((target) => {
    const scheme = references.find<OpenAPIV3.SecuritySchemeObject>(target);
    return scheme?.type === 'http' ? [scheme.scheme.toLowerCase()] : [];
  });

/**
 * Makes security handlers that accept every credential of a declared kind. A bearer token, and the name of basic
 * authentication, count as the login of the user of that name.
 *
 * @param scopes - what every caller is granted
 */
export const mockCredentials = (
  document: ApiDocument,
  scopes: readonly string[],
): SecurityHandlers => {
  const principal = (username: string | undefined): Principal => ({
    username,
    subject: `mock:${username ?? 'key'}`,
    scopes,
    credentialId: 'mock',
  });
  const anybody = () => principal(undefined);
  return {
    apiKey: anybody,
    bearer: principal,
    basic: ({ username }) => principal(username),
    http: Object.fromEntries(schemeNames(document).map((name) => [name, anybody])),
    accountExists: async () => true,
  };
};
