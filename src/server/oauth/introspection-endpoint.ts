/** Tells the holders of API keys what an access token is good for (RFC 7662). */

import type { SecurityHandlers } from '../../engine';
import { digest } from '../identity/token';
import type { IssuedToken, TokenStorage } from '../storage/identity/tokens';
import type { Endpoint, EndpointRequest } from './protocol/endpoint';
import { errorResponse, formEndpoint, jsonResponse, unknownClient } from './protocol/json-response';

/** What the endpoint works with. */
export interface IntrospectionParts {
  readonly verifyKey: SecurityHandlers['apiKey'];
  /** The header that carries API keys, in lower case. */
  readonly keyHeader: string;
  readonly tokens: TokenStorage;
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** RFC 7662 section 2.2 */
const described = (token: IssuedToken, issuer: string) => ({
  active: true,
  scope: token.scopes.join(' '),
  ...(token.client !== undefined && { client_id: token.client }),
  username: token.username,
  sub: token.username,
  token_type: 'Bearer',
  exp: seconds(token.expiresAt),
  iat: seconds(token.createdAt),
  iss: issuer,
});

/**
 * Makes the endpoint. Whoever asks must be known (RFC 7662 section 2.1), and clients have nothing to be known by, so it is for
 * those who serve something by these tokens: they have an API key.
 */
export const introspectionEndpoint = (parts: IntrospectionParts): Endpoint => {
  const { verifyKey, keyHeader, tokens, issuer, clock } = parts;
  const challenge = `ApiKey realm="${issuer}", in="header", name="${keyHeader}"`;

  const hasKey = async (request: EndpointRequest): Promise<boolean> => {
    const key = request.headers[keyHeader];
    return typeof key === 'string' && (await verifyKey?.(key, request)) !== undefined;
  };

  return formEndpoint(['token'], async (parameters, request) => {
    if (!(await hasKey(request))) {
      return unknownClient('An API key of the service is required', challenge);
    }
    const secret = parameters.get('token');
    if (secret === undefined) return errorResponse('invalid_request', 'token is missing');
    const token = await tokens.findIssued(digest(secret), clock());
    return jsonResponse(200, token === undefined ? { active: false } : described(token, issuer));
  });
};
