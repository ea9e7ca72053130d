/** The parts of an authorization server, and the access tokens and authorization codes that users have granted. */

import type { SecurityHandlers } from '../../engine';
import type { CodeStorage } from '../../storage/identity/oauth-codes';
import type { NewToken, TokenStorage } from '../../storage/identity/tokens';
import type { CheckPassword } from '../password-check';
import { digest, newSecret, newToken } from '../token';
import type { AuthorizationRequest, ServiceScopes } from './authorization-request';
import type { BrowserSessions } from './browser-sessions';
import type { FindClient } from './clients';
import type { AuthorizePages } from './pages';

/** Makes the functions that issue grants of one service. */
export const grants = ({
  tokens,
  codes,
  tokenTtlSeconds,
  clock,
}: {
  readonly tokens: TokenStorage;
  readonly codes: CodeStorage;
  readonly tokenTtlSeconds: number;
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
}) => {
  // The lifetime of a code in seconds; RFC 6749 section 4.1.2 allows ten minutes.
  const codeSeconds = 60;
  /** Makes a token of a client for a grant that is still to be found: a transaction, which may run more than once, finds it. */
  const tokenOf = (client: string) => {
    const unbound = { kind: 'access-token', userKey: '', scopes: [], client } as const;
    const { secret, stored } = newToken(unbound, tokenTtlSeconds, clock());
    return {
      expiresAt: stored.expiresAt,
      /** Makes the row to be stored. */
      storedFor: ({
        userKey,
        scopes,
        resources,
      }: Pick<NewToken, 'userKey' | 'scopes' | 'resources'>): NewToken => ({
        ...stored,
        userKey,
        scopes,
        resources,
      }),
      /** Makes the response to the client (RFC 6749 sections 4.2.2 and 5.1). */
      responseFor: ({ scopes }: Pick<NewToken, 'scopes'>) => ({
        access_token: secret,
        token_type: 'Bearer',
        expires_in: tokenTtlSeconds,
        scope: scopes.join(' '),
      }),
    };
  };

  const issueToken = async (
    { client, scopes, resources }: AuthorizationRequest,
    userKey: string,
  ) => {
    await tokens.deleteExpired(clock());
    const { storedFor, responseFor } = tokenOf(client.clientId);
    if (!(await tokens.add(storedFor({ userKey, scopes, resources })))) return undefined;
    return { ...responseFor({ scopes }), expires_in: String(tokenTtlSeconds) };
  };

  const issueCode = async (
    { client, scopes, resources, givenRedirectUri }: AuthorizationRequest,
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
      resources,
      expiresAt: now + codeSeconds * 1000,
    });
    return isAdded ? { code } : undefined;
  };

  return {
    tokenOf,

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
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
}
