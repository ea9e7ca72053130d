/** The endpoints for clients: tokens are issued (RFC 6749, RFC 7636), revoked (RFC 7009) and described (RFC 7662). */

import { hash } from 'node:crypto';
import type { HttpResponse } from '../../http/send';
import type { CodeGrant } from '../../storage/identity/oauth-codes';
import type { StoredToken } from '../../storage/identity/tokens';
import { narrowResources, requestedResources } from '../resources';
import { digest, equalTexts } from '../token';
import { resourceProblem } from './authorization-request';
import { checkClient } from './clients';
import {
  type Endpoint,
  type EndpointRequest,
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

/**
 * Makes the function that exchanges authorization codes for access tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5).
 * Its `resources` are those that the token is to be for; none: those of the grant.
 */
const codeExchange = ({ codes, grants, clock }: OAuthParts) => {
  const isFor = (grant: CodeGrant, clientId: string, parameters: Parameters): boolean =>
    grant.expiresAt > clock() &&
    grant.clientId === clientId &&
    // RFC 6749 section 4.1.3: it must be the same, or be left out in both requests.
    grant.redirectUri === parameters.get('redirect_uri') &&
    // RFC 7636 section 4.6
    equalTexts(hash('sha256', parameters.get('code_verifier') ?? '', 'base64url'), grant.challenge);

  return async (
    clientId: string,
    parameters: Parameters,
    resources: readonly string[],
  ): Promise<HttpResponse> => {
    const problem = findMissing(parameters);
    if (problem !== undefined) return errorResponse('invalid_request', problem);
    await codes.deleteExpired(clock());
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
    return refused.target
      ? errorResponse('invalid_target', resourceProblem)
      : errorResponse(
          'invalid_grant',
          'The code is unknown, used or expired, or it is not for this client, redirect_uri or code_verifier',
        );
  };
};

/** Issues access tokens (RFC 6749 section 3.2). */
const issuingEndpoint = (parts: OAuthParts): Endpoint => {
  const exchange = codeExchange(parts);
  const known = [
    'grant_type',
    'code',
    'redirect_uri',
    'client_id',
    'client_secret',
    'code_verifier',
  ];
  return formEndpoint(known, async (parameters, request) => {
    const grantType = parameters.get('grant_type');
    if (grantType === undefined) return errorResponse('invalid_request', 'grant_type is missing');
    if (grantType !== 'authorization_code') {
      return errorResponse('unsupported_grant_type', 'grant_type must be authorization_code');
    }
    const checked = await checkClient(parts, parameters, request);
    if ('refusal' in checked) return checked.refusal;
    const resources = requestedResources(parameters.resources, parts.issuer);
    return resources === undefined
      ? errorResponse('invalid_target', resourceProblem)
      : exchange(checked.client.clientId, parameters, resources);
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

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** RFC 7662 section 2.2 */
const descriptionOf = (token: StoredToken, issuer: string) => ({
  active: true,
  scope: token.scopes.join(' '),
  ...(token.client !== undefined && { client_id: token.client }),
  username: token.username,
  sub: token.username,
  token_type: 'Bearer',
  exp: seconds(token.expiresAt),
  iat: seconds(token.createdAt),
  iss: issuer,
  ...(token.resources !== undefined && { aud: token.resources }),
});

/**
 * Describes access tokens (RFC 7662) to holders of an API key. Callers must authenticate themselves (section 2.1), and OAuth clients
 * have no secrets here.
 */
const introspectionEndpoint = (parts: OAuthParts): Endpoint => {
  const { verifyKey, keyHeader, issuer } = parts;
  const challenge = `ApiKey realm="${issuer}", in="header", name="${keyHeader}"`;

  const hasKey = async (request: EndpointRequest): Promise<boolean> => {
    const key = request.headers[keyHeader];
    return typeof key === 'string' && (await verifyKey?.(key, request, '')) !== undefined;
  };

  return formEndpoint(['token'], async (parameters, request) => {
    if (!(await hasKey(request))) {
      return unknownClient('An API key of the service is required', challenge);
    }
    const secret = parameters.get('token');
    if (secret === undefined) return errorResponse('invalid_request', 'token is missing');
    const token = await findAccessToken(parts, secret);
    return jsonResponse(
      200,
      token === undefined ? { active: false } : descriptionOf(token, issuer),
    );
  });
};

/** Makes the endpoints of one service. */
export const tokenEndpoints = (parts: OAuthParts) => ({
  token: issuingEndpoint(parts),
  revoke: revocationEndpoint(parts),
  introspect: introspectionEndpoint(parts),
});
