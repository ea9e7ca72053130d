/** The security handlers of mocks, which accept any credential. */

import type { SecurityHandlers } from '../engine';
import type { Principal } from '../http/caller';
import type { Model } from '../model/document';

type Secured = Pick<Model, 'operations' | 'securitySchemes'>;

/** Lists all that a caller may be asked for: declared scopes, and those and the roles that operations require. */
const scopesOf = ({ operations, securitySchemes }: Secured): readonly string[] => {
  const declared = [...securitySchemes.values()].flatMap((scheme) =>
    scheme.type === 'oauth2'
      ? Object.values(scheme.flows).flatMap(({ scopes }) => Object.keys(scopes))
      : [],
  );
  const required = operations.flatMap(({ security }) =>
    security.flatMap(Object.values<readonly string[]>).flat(),
  );
  return [...new Set([...declared, ...required])];
};

/**
 * Makes security handlers that accept every credential of a declared kind, with all scopes, for a document without data to protect. A
 * bearer token, and the name of basic authentication, count as the login of the user of that name.
 * @example openApiRouter('shop.yaml', {}, mockCredentials(await loadApiDocument('shop.yaml')), { mocks: true })
 */
export const mockCredentials = (document: Secured): SecurityHandlers => {
  const scopes = scopesOf(document);
  const principal = (username: string | undefined): Principal => ({
    username,
    subject: `mock:${username ?? 'key'}`,
    scopes,
    kind: 'mock',
    credentialId: 'mock',
  });
  const anonymous = () => principal(undefined);
  const names = [...document.securitySchemes.values()].flatMap((scheme) =>
    scheme.type === 'http' ? [scheme.scheme.toLowerCase()] : [],
  );
  return {
    apiKey: anonymous,
    bearer: principal,
    basic: ({ username }) => principal(username),
    http: Object.fromEntries(names.map((name) => [name, anonymous])),
    accountExists: async () => true,
  };
};
