/** The parts of an authorization server, and the access tokens and authorization codes that users have granted. */

import type { SecurityHandlers } from '../../engine';
import type { CodeStorage } from '../../storage/identity/oauth-codes';
import type { NewToken, TokenStorage } from '../../storage/identity/tokens';
import type { CheckPassword } from '../password-check';
import { type Clock, digest, newSecret, newToken } from '../token';
import type { AuthorizationRequest, ServiceScopes } from './authorization-request';
import type { BrowserSessions } from './browser-sessions';
import type { FindClient } from './clients';
import type { AuthorizePages } from './pages';

/** Makes the functions that issue grants of one service. */
export const grants = (
  { tokens, codes, clock }: Pick<OAuthParts, 'tokens' | 'codes' | 'clock'>,
  tokenTtlSeconds: number,
) => {
  // The lifetime of a code in seconds; RFC 6749 section 4.1.2 allows ten minutes.
  const codeSeconds = 60;
  /** Makes a token of a client for a grant that is still to be found: a transaction, which may run more than once, finds it. */
  const tokenOf = (client: string) => {
    const unbound = { kind: 'access-token', userKey: '', scopes: [], client } as const;
    const { secret, stored } = newToken(unbound, tokenTtlSeconds, clock());
    return {
      expiresAt: stored.expiresAt,
      /** Makes the row to be stored. */
      storedFor(grant: Pick<NewToken, 'userKey' | 'scopes' | 'resources'>): NewToken {
        const { userKey, scopes, resources } = grant;
        return { ...stored, userKey, scopes, resources };
      },
      /** Makes the response to the client (RFC 6749 sections 4.2.2 and 5.1). */
      responseFor: ({ scopes }: Pick<NewToken, 'scopes'>) => ({
        access_token: secret,
        token_type: 'Bearer',
        expires_in: tokenTtlSeconds,
        scope: scopes.join(' '),
      }),
    };
  };

  return {
    tokenOf,

    /** Issues a code or a token, as parameters of the response; undefined where the user was deleted. */
    async issue(
      request: AuthorizationRequest,
      userKey: string,
    ): Promise<Readonly<Record<string, string>> | undefined> {
      const { client, scopes, resources, challenge } = request;
      const { clientId } = client;
      const now = clock();
      if (challenge === undefined) {
        await tokens.deleteExpired(now);
        const { storedFor, responseFor } = tokenOf(clientId);
        if (!(await tokens.add(storedFor({ userKey, scopes, resources })))) return undefined;
        return { ...responseFor({ scopes }), expires_in: String(tokenTtlSeconds) };
      }
      await codes.deleteExpired(now);
      const code = newSecret();
      const expiresAt = now + codeSeconds * 1000;
      const redirectUri = request.givenRedirectUri;
      const grant = { clientId, userKey, redirectUri, challenge, scopes, resources, expiresAt };
      return (await codes.add(digest(code), grant)) ? { code } : undefined;
    },
  };
};

/** The parts of one service. */
export interface OAuthParts {
  readonly service: string;
  /** The URL of the authorization server (RFC 9207). */
  readonly issuer: string;
  readonly scopes: ServiceScopes;
  readonly findClient: FindClient;
  readonly tokens: TokenStorage;
  readonly codes: CodeStorage;
  readonly grants: ReturnType<typeof grants>;
  readonly pages: AuthorizePages;
  readonly sessions: BrowserSessions;
  readonly checkPassword: CheckPassword;
  readonly verifyKey: SecurityHandlers['apiKey'];
  /** The header that carries API keys, in lower case. */
  readonly keyHeader: string;
  readonly clock: Clock;
}
