/** Ends access tokens for the clients that they were issued to (RFC 7009). */

import { digest } from '../identity/token';
import type { TokenStorage } from '../storage/identity/tokens';
import type { CheckClient } from './client-check';
import type { Endpoint } from './protocol/endpoint';
import { errorResponse, formEndpoint, jsonResponse } from './protocol/json-response';

/** What the endpoint works with. */
export interface RevocationParts {
  readonly checkClient: CheckClient;
  readonly tokens: TokenStorage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Makes the endpoint. What `token_type_hint` says is of no use: there is one type. */
export const revocationEndpoint = (parts: RevocationParts): Endpoint => {
  const { checkClient, tokens, clock } = parts;
  return formEndpoint(['token', 'client_id', 'client_secret'], async (parameters, request) => {
    const checked = await checkClient(parameters, request);
    if ('refusal' in checked) return checked.refusal;
    const secret = parameters.get('token');
    if (secret === undefined) return errorResponse('invalid_request', 'token is missing');
    const token = await tokens.findIssued(digest(secret), clock());
    if (token !== undefined && token.client !== checked.client.clientId) {
      return errorResponse('invalid_grant', 'The token was issued to somebody else');
    }
    if (token !== undefined) await tokens.revoke(token.key);
    // RFC 7009 section 2.2: a token that is none is as good as ended.
    return jsonResponse(200, {});
  });
};
