/** The endpoints for clients: tokens are issued (RFC 6749, RFC 7636), revoked (RFC 7009) and described (RFC 7662). */

import { hash } from 'node:crypto';
import type { CodeGrant } from '../../storage/identity/oauth-codes';
import type { StoredToken } from '../../storage/identity/tokens';
import { narrowResources, requestedResources } from '../resources';
import { digest, equalTexts } from '../token';
import { resourceProblem } from './authorization-request';
import { checkClient } from './clients';
import {
  type Endpoint,
  errorResponse,
  formEndpoint,
  jsonResponse,
  type Parameters,
  unknownClient,
} from './endpoint';
import type { OAuthParts } from './grants';

const findMissing = (parameters: Parameters): string | undefined => {
  if (parameters.get('code') === undefined) return 'code is missing';
  const verifier = parameters.get('code_verifier');
  if (verifier === undefined) return 'code_verifier is missing';
  // RFC 7636 section 4.1
  return /^[\w.~-]{43,128}$/.test(verifier)
    ? undefined
    : 'code_verifier must be 43 to 128 unreserved characters';
};

/** Finds an access token by its text; a login is not an access token. */
const findAccessToken = async (
  { tokens, clock }: OAuthParts,
  text: string,
): Promise<StoredToken | undefined> => {
  const found = await tokens.findActive(digest(text), clock());
  return found?.kind === 'access-token' ? found : undefined;
};

/** Issues access tokens (RFC 6749 section 3.2) for authorization codes (section 4.1.3, RFC 7636 section 4.5). */
const issuingEndpoint = (parts: OAuthParts): Endpoint => {
  const { codes, grants, clock } = parts;
  const isFor = (grant: CodeGrant, clientId: string, parameters: Parameters): boolean =>
    grant.expiresAt > clock() &&
    grant.clientId === clientId &&
    // RFC 6749 section 4.1.3: it must be the same, or be left out in both requests.
    grant.redirectUri === parameters.get('redirect_uri') &&
    // RFC 7636 section 4.6
    equalTexts(hash('sha256', parameters.get('code_verifier') ?? '', 'base64url'), grant.challenge);

  const known = 'grant_type code redirect_uri client_id client_secret code_verifier'.split(' ');
  return formEndpoint(known, async (parameters, request) => {
    const grantType = parameters.get('grant_type');
    if (grantType === undefined) return errorResponse('invalid_request', 'grant_type is missing');
    if (grantType !== 'authorization_code') {
      return errorResponse('unsupported_grant_type', 'grant_type must be authorization_code');
    }
    const checked = await checkClient(parts, parameters, request);
    if ('refusal' in checked) return checked.refusal;
    const resources = requestedResources(parameters.resources, parts.issuer);
    if (resources === undefined) return errorResponse('invalid_target', resourceProblem);
    const problem = findMissing(parameters);
    if (problem !== undefined) return errorResponse('invalid_request', problem);
    await codes.deleteExpired(clock());
    const { clientId } = checked.client;
    const { expiresAt, storedFor, responseFor } = grants.tokenOf(clientId);
    const hashOfCode = digest(parameters.get('code') ?? '');
    const refused = { target: false };
    const token = await codes.exchange(hashOfCode, expiresAt, (grant) => {
      if (!isFor(grant, clientId, parameters)) return undefined;
      const narrowed = narrowResources(grant, resources);
      refused.target = narrowed === undefined;
      return narrowed && storedFor(narrowed);
    });
    if (token !== undefined) return jsonResponse(200, responseFor(token));
    if (refused.target) return errorResponse('invalid_target', resourceProblem);
    const description =
      'The code is unknown, used or expired, or it is not for this client, redirect_uri or code_verifier';
    return errorResponse('invalid_grant', description);
  });
};

/** Revokes access tokens for the clients to which they were issued (RFC 7009). There is one type of token, so `token_type_hint` is ignored. */
const revocationEndpoint = (parts: OAuthParts): Endpoint =>
  formEndpoint(['token', 'client_id', 'client_secret'], async (parameters, request) => {
    const checked = await checkClient(parts, parameters, request);
    if ('refusal' in checked) return checked.refusal;
    const secret = parameters.get('token');
    if (secret === undefined) return errorResponse('invalid_request', 'token is missing');
    const token = await findAccessToken(parts, secret);
    if (token !== undefined && token.client !== checked.client.clientId) {
      return errorResponse('invalid_grant', 'The token was issued to another client');
    }
    if (token !== undefined) await parts.tokens.revoke([token.key]);
    // RFC 7009 section 2.2: an unknown token counts as revoked.
    return jsonResponse(200, {});
  });

/**
 * Describes access tokens (RFC 7662) to holders of an API key. Callers must authenticate themselves (section 2.1), and OAuth clients
 * have no secrets here.
 */
const introspectionEndpoint = (parts: OAuthParts): Endpoint => {
  const { verifyKey, keyHeader, issuer } = parts;
  const challenge = `ApiKey realm="${issuer}", in="header", name="${keyHeader}"`;

  return formEndpoint(['token'], async (parameters, request) => {
    const key = request.headers[keyHeader];
    if (typeof key !== 'string' || (await verifyKey?.(key, request, '')) === undefined) {
      return unknownClient('An API key of the service is required', challenge);
    }
    const secret = parameters.get('token');
    if (secret === undefined) return errorResponse('invalid_request', 'token is missing');
    const token = await findAccessToken(parts, secret);
    if (token === undefined) return jsonResponse(200, { active: false });
    // Section 2.2
    return jsonResponse(200, {
      active: true,
      scope: token.scopes.join(' '),
      ...(token.client !== undefined && { client_id: token.client }),
      username: token.username,
      sub: token.username,
      token_type: 'Bearer',
      // In seconds.
      exp: Math.floor(token.expiresAt / 1000),
      iat: Math.floor(token.createdAt / 1000),
      iss: issuer,
      ...(token.resources !== undefined && { aud: token.resources }),
    });
  });
};

/** Makes the endpoints of one service. */
export const tokenEndpoints = (parts: OAuthParts) => ({
  token: issuingEndpoint(parts),
  revoke: revocationEndpoint(parts),
  introspect: introspectionEndpoint(parts),
});
