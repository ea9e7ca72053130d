/** Puts the authorization server of one service together. */

import type { SecurityHandlers } from '../../engine';
import type { Database } from '../../storage/database/database';
import { knexClients } from '../../storage/identity/clients';
import { knexOAuthCodes } from '../../storage/identity/oauth-codes';
import { knexTokens } from '../../storage/identity/tokens';
import type { CheckPassword } from '../identity/password-check';
import { authorizeEndpoint } from './authorization-endpoint';
import { browserSessions } from './browser-sessions';
import { grants } from './grants';
import { type AuthorizePages, authorizePages, type PageContext } from './pages/pages';
import { pageLanguages, textsFor } from './pages/texts';
import type { ServiceScopes } from './protocol/authorization-request';
import { authorizationResponses } from './protocol/authorization-response';
import { clientCheck, clientFinder, docsClient, type ServiceAddress } from './protocol/clients';
import type { Endpoint, EndpointRequest } from './protocol/endpoint';
import { tokenEndpoints } from './token-endpoints';

/** Where the endpoints are below the service. */
export const endpointPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  introspect: '/oauth/introspect',
} as const;

type EndpointName = keyof typeof endpointPaths;

/** Where the metadata of the service at that path is (RFC 8414 section 3.1). */
export const metadataPath = (basePath: string): string =>
  `/.well-known/oauth-authorization-server${basePath}`;

/** @param issuer the URL of the service */
const metadata = (issuer: string, { known }: ServiceScopes) => ({
  issuer,
  authorization_endpoint: issuer + endpointPaths.authorize,
  token_endpoint: issuer + endpointPaths.token,
  revocation_endpoint: issuer + endpointPaths.revoke,
  introspection_endpoint: issuer + endpointPaths.introspect,
  scopes_supported: [...known.keys()],
  response_types_supported: ['code', 'token'],
  response_modes_supported: ['query', 'fragment'],
  grant_types_supported: ['authorization_code', 'implicit'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  ui_locales_supported: pageLanguages,
});

/** What an authorization server is made of. */
export interface AuthorizationServerParts extends ServiceAddress {
  readonly name: string;
  /** What the pages call the service. */
  readonly title: string;
  readonly scopes: ServiceScopes;
  /** The header that carries API keys, in lower case. */
  readonly keyHeader: string;
  readonly db: Database;
  readonly checkPassword: CheckPassword;
  readonly verifyKey: SecurityHandlers['apiKey'];
  readonly tokenTtlSeconds: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The endpoints of one service. */
export interface AuthorizationServer extends Readonly<Record<EndpointName, Endpoint>> {
  readonly metadata: object;
  /** A page for a user whose request failed in the server. */
  readonly failurePage: (
    request: Pick<EndpointRequest, 'headers' | 'secure'>,
    status: number,
    headers: Readonly<Record<string, string>>,
  ) => ReturnType<AuthorizePages['error']>;
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

const contextOf = ({
  headers,
  secure,
}: Pick<EndpointRequest, 'headers' | 'secure'>): PageContext => ({
  texts: textsFor(String(headers['accept-language'] ?? '')),
  isExposed: !secure && !loopbackHost.test(String(headers['host'] ?? '')),
});

/** Makes the endpoints. */
export const authorizationServer = (parts: AuthorizationServerParts): AuthorizationServer => {
  const { name, title, scopes, origin, basePath, db, tokenTtlSeconds, clock } = parts;
  const issuer = origin + basePath;
  const tokens = knexTokens(db, name);
  const codes = knexOAuthCodes(db, name);
  const findClient = clientFinder(knexClients(db, name), docsClient(parts));
  const checkClient = clientCheck(findClient, name);
  const issuing = grants({ tokens, codes, tokenTtlSeconds, clock });
  const pages = authorizePages({ title, scopes, tokenTtlSeconds, docsUrl: `${issuer}/docs/` });
  return {
    authorize: authorizeEndpoint({
      findClient,
      scopes,
      pages,
      responses: authorizationResponses(issuer),
      visitors: browserSessions({ tokens, basePath, tokenTtlSeconds, clock }),
      grants: issuing,
      checkPassword: parts.checkPassword,
      contextOf,
    }),
    ...tokenEndpoints({ ...parts, checkClient, tokens, codes, grants: issuing, issuer }),
    metadata: metadata(issuer, scopes),
    failurePage: (request, status, headers) =>
      pages.error(status === 503 ? 'busy' : 'failed', contextOf(request), status, headers),
  };
};
