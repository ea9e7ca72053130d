/** Issues the access tokens and authorization codes that users have granted. */

import type { CodeStorage } from '../../../storage/identity/oauth-codes';
import type { NewToken, TokenStorage } from '../../../storage/identity/tokens';
import { digest, newSecret } from '../token';
import type { AuthorizationRequest } from './authorization-request';

interface GrantParts {
  readonly tokens: TokenStorage;
  readonly codes: CodeStorage;
  readonly tokenTtlSeconds: number;
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
}

/** The lifetime of a code in seconds; RFC 6749 section 4.1.2 allows ten minutes. */
const codeSeconds = 60;

/** Makes the functions that issue grants of one service. */
export const grants = ({ tokens, codes, tokenTtlSeconds, clock }: GrantParts) => {
  /** Makes a token: the row to be stored, and the response to the client (RFC 6749 sections 4.2.2 and 5.1). */
  const newToken = (grant: Pick<NewToken, 'userKey' | 'scopes' | 'client'>) => {
    const now = clock();
    const secret = newSecret();
    const stored: NewToken = {
      ...grant,
      kind: 'access-token',
      hash: digest(secret),
      createdAt: now,
      expiresAt: now + tokenTtlSeconds * 1000,
    };
    const response = {
      access_token: secret,
      token_type: 'Bearer',
      expires_in: tokenTtlSeconds,
      scope: grant.scopes.join(' '),
    };
    return { stored, response };
  };

  const issueToken = async ({ client, scopes }: AuthorizationRequest, userKey: string) => {
    await tokens.deleteExpired(clock());
    const { stored, response } = newToken({ userKey, scopes, client: client.clientId });
    if (!(await tokens.add(stored))) return undefined;
    return { ...response, expires_in: String(response.expires_in) };
  };

  const issueCode = async (
    { client, scopes, givenRedirectUri }: AuthorizationRequest,
    userKey: string,
    challenge: string,
  ) => {
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

    /** Issues a code or a token, as parameters of the response; undefined where the user was deleted. */
    async issue(
      request: AuthorizationRequest,
      userKey: string,
    ): Promise<Readonly<Record<string, string>> | undefined> {
      const { challenge } = request;
      if (challenge === undefined) return issueToken(request, userKey);
      return issueCode(request, userKey, challenge);
    },
  };
};

/** The functions that issue grants of one service. */
export type Grants = ReturnType<typeof grants>;
