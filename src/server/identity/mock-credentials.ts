/** Accepts any credential: for trying out a document that has no handlers, and so nobody's data. */

import {
  type ApiDocument,
  type Principal,
  type SecurityHandlers,
  securitySchemesOf,
} from '../../engine';

const schemeNames = (document: ApiDocument): readonly string[] =>
  [...securitySchemesOf(document).values()].flatMap((scheme) =>
    scheme.type === 'http' ? [scheme.scheme.toLowerCase()] : [],
  );

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
