/** The token endpoint (RFC 6749 section 3.2): exchanges authorization codes for access tokens (RFC 7636 section 4.5). */

import { createHash } from 'node:crypto';
import { digest, equalTexts } from '../identity/token';
import type { CodeGrant, CodeStorage } from '../storage/identity/oauth-codes';
import type { CheckClient } from './client-check';
import type { Grants } from './grants';
import type { Endpoint } from './protocol/endpoint';
import { errorResponse, formEndpoint, jsonResponse } from './protocol/json-response';
import type { Parameters } from './protocol/parameters';

/** What the endpoint works with. */
export interface TokenParts {
  readonly checkClient: CheckClient;
  readonly codes: CodeStorage;
  readonly grants: Grants;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

// RFC 7636 section 4.1
const verifierPattern = /^[\w.~-]{43,128}$/;

/** RFC 7636 section 4.6 */
const isChallengeOf = (verifier: string, challenge: string): boolean =>
  equalTexts(createHash('sha256').update(verifier).digest('base64url'), challenge);

/** What is missing or misshapen; undefined where nothing is. */
const faultOf = (parameters: Parameters): string | undefined => {
  if (parameters.get('code') === undefined) return 'code is missing';
  const verifier = parameters.get('code_verifier');
  if (verifier === undefined) return 'code_verifier is missing';
  return verifierPattern.test(verifier)
    ? undefined
    : 'code_verifier must be 43 to 128 unreserved characters';
};

/** Makes the endpoint. */
export const tokenEndpoint = ({ checkClient, codes, grants, clock }: TokenParts): Endpoint => {
  const isFor = (grant: CodeGrant, clientId: string, parameters: Parameters): boolean =>
    grant.expiresAt > clock() &&
    grant.clientId === clientId &&
    // RFC 6749 section 4.1.3: the same one, or none where none was given.
    grant.redirectUri === parameters.get('redirect_uri') &&
    isChallengeOf(parameters.get('code_verifier') ?? '', grant.challenge);

  const exchange = async (clientId: string, parameters: Parameters) => {
    await codes.deleteExpired(clock());
    // Made beforehand: the storage may do its work more than once.
    const { kept, response } = grants.newToken({ userKey: '', scopes: [], client: clientId });
    const token = await codes.exchange(
      digest(parameters.get('code') ?? ''),
      kept.expiresAt,
      (grant) =>
        isFor(grant, clientId, parameters)
          ? { ...kept, userKey: grant.userKey, scopes: grant.scopes }
          : undefined,
    );
    return token && { ...response, scope: token.scopes.join(' ') };
  };

  const known = [
    ...['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier'],
  ];
  return formEndpoint(known, async (parameters, request) => {
    const grantType = parameters.get('grant_type');
    if (grantType === undefined) return errorResponse('invalid_request', 'grant_type is missing');
    if (grantType !== 'authorization_code') {
      return errorResponse('unsupported_grant_type', 'grant_type must be authorization_code');
    }
    const checked = await checkClient(parameters, request);
    if ('refusal' in checked) return checked.refusal;
    const fault = faultOf(parameters);
    if (fault !== undefined) return errorResponse('invalid_request', fault);
    const response = await exchange(checked.client.clientId, parameters);
    return response === undefined
      ? errorResponse(
          'invalid_grant',
          'The code is unknown, used or expired, or it is not for this client, redirect_uri or code_verifier',
        )
      : jsonResponse(200, response);
  });
};
