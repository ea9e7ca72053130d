/** Puts the authorization server of one service together. */

import type { SecurityHandlers } from '../../engine';
import type { CheckPassword } from '../identity/password-check';
import type { Database } from '../storage/database/database';
import { knexClients } from '../storage/identity/clients';
import { knexOAuthCodes } from '../storage/identity/oauth-codes';
import { knexTokens } from '../storage/identity/tokens';
import { authorizeEndpoint } from './authorization-endpoint';
import { browserSessions } from './browser-sessions';
import { clientCheck } from './client-check';
import { grants } from './grants';
import { introspectionEndpoint } from './introspection-endpoint';
import { metadata } from './metadata';
import { type AuthorizePages, authorizePages, type PageContext } from './pages/pages';
import { textsFor } from './pages/texts';
import { authorizationResponses } from './protocol/authorization-response';
import { clientFinder, docsClient, type ServiceAddress } from './protocol/clients';
import type { Endpoint, EndpointRequest } from './protocol/endpoint';
import type { ServiceScopes } from './protocol/scopes';
import { revocationEndpoint } from './revocation-endpoint';
import { tokenEndpoint } from './token-endpoint';

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
export interface AuthorizationServer {
  readonly authorize: Endpoint;
  readonly token: Endpoint;
  readonly revoke: Endpoint;
  readonly introspect: Endpoint;
  readonly metadata: object;
  /** A page for a user whose request failed in the server. */
  readonly failurePage: (
    request: Pick<EndpointRequest, 'headers' | 'secure'>,
    status: number,
    headers: Readonly<Record<string, string>>,
  ) => ReturnType<AuthorizePages['fault']>;
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
  const pages = authorizePages({ title, scopes, tokenTtlSeconds });
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
    token: tokenEndpoint({ checkClient, codes, grants: issuing, clock }),
    revoke: revocationEndpoint({ checkClient, tokens, clock }),
    introspect: introspectionEndpoint({ ...parts, tokens, issuer }),
    metadata: metadata(issuer, scopes),
    failurePage: (request, status, headers) =>
      pages.fault(status === 503 ? 'busy' : 'failed', contextOf(request), status, headers),
  };
};
