/** Issues what users have granted: access tokens and authorization codes. */

import type { CodeStorage } from '../../storage/identity/oauth-codes';
import type { NewToken, TokenStorage } from '../../storage/identity/tokens';
import { digest, newSecret } from '../identity/token';
import type { AuthorizationRequest } from './protocol/authorization-request';

/** What grants are stored in. */
export interface GrantParts {
  readonly tokens: TokenStorage;
  readonly codes: CodeStorage;
  readonly tokenTtlSeconds: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** What a client is told of an access token (RFC 6749 sections 4.2.2 and 5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
}

/** A code is for the browser's way back (RFC 6749 section 4.1.2 allows ten minutes). */
const codeSeconds = 60;

/** What an access token is issued for. */
export type TokenGrant = Pick<NewToken, 'userKey' | 'scopes' | 'client'>;

/** Makes what issues. */
export const grants = ({ tokens, codes, tokenTtlSeconds, clock }: GrantParts) => {
  /** A token's two halves: what is stored of it, and what the client gets. */
  const newToken = (
    grant: TokenGrant,
  ): { readonly stored: NewToken; readonly response: TokenResponse } => {
    const now = clock();
    const secret = newSecret();
    return {
      stored: {
        ...grant,
        kind: 'access-token',
        hash: digest(secret),
        createdAt: now,
        expiresAt: now + tokenTtlSeconds * 1000,
      },
      response: {
        access_token: secret,
        token_type: 'Bearer',
        expires_in: tokenTtlSeconds,
        scope: grant.scopes.join(' '),
      },
    };
  };

  const issueToken = async (
    { client, scopes }: AuthorizationRequest,
    userKey: string,
  ): Promise<Readonly<Record<string, string>> | undefined> => {
    await tokens.deleteExpired(clock());
    const { stored, response } = newToken({ userKey, scopes, client: client.clientId });
    if (!(await tokens.add(stored))) return undefined;
    return { ...response, expires_in: String(response.expires_in) };
  };

  const issueCode = async (
    { client, scopes, givenRedirectUri }: AuthorizationRequest,
    userKey: string,
    challenge: string,
  ): Promise<Readonly<Record<string, string>> | undefined> => {
    const now = clock();
    await codes.deleteExpired(now);
    const code = newSecret();
    const isAdded = await codes.add(digest(code), {
      clientId: client.clientId,
      userKey,
      redirectUri: givenRedirectUri,
      challenge,
      scopes,
      expiresAt: now + codeSeconds * 1000,
    });
    return isAdded ? { code } : undefined;
  };

  return {
    newToken,

    /** Issues what the request asks for, as parameters of the response; undefined where the user is gone. */
    issue(
      request: AuthorizationRequest,
      userKey: string,
    ): Promise<Readonly<Record<string, string>> | undefined> {
      const { challenge } = request;
      return challenge === undefined
        ? issueToken(request, userKey)
        : issueCode(request, userKey, challenge);
    },
  };
};

/** Issues grants of one service. */
export type Grants = ReturnType<typeof grants>;
