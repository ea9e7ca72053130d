/** What the authorization server of a service says of itself (RFC 8414). */

import { pageLanguages } from './pages/texts';
import type { ServiceScopes } from './protocol/scopes';

/** Where the endpoints are below the service. */
export const endpointPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  introspect: '/oauth/introspect',
} as const;

/** Where the metadata of the service at that path is (RFC 8414 section 3.1). */
export const metadataPath = (basePath: string): string =>
  `/.well-known/oauth-authorization-server${basePath}`;

/** @param issuer the URL of the service */
export const metadata = (issuer: string, { known }: ServiceScopes) => ({
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
