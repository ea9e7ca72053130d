/** The security handlers of one service, for API keys, bearer tokens and sessions. */

import type { SecurityHandlers } from '../engine';
import type { Principal } from '../http/caller';
import { HttpError } from '../http/http-error';
import { isSafeMethod } from '../http/request';
import type { ApiKey, ApiKeyStorage } from '../storage/identity/api-keys';
import { type StoredToken, type TokenStorage, tokenIdOf } from '../storage/identity/tokens';
import type { AccountStorage } from '../storage/identity/users';
import type { CountCall } from './rate-limit';
import { comesFromAnotherOrigin, type SessionCookie } from './session-cookie';
import { digest, equalTexts } from './token';

interface CredentialParts {
  readonly accounts: AccountStorage;
  readonly tokens: TokenStorage;
  readonly apiKeys: ApiKeyStorage;
  readonly cookie: SessionCookie;
  readonly countCall: CountCall;
  /** Verifies a token of an outside issuer; undefined where there is no such issuer. */
  readonly verifyIssued: SecurityHandlers['bearer'];
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
}

const callerOf = (token: StoredToken): Principal => ({
  username: token.kind === 'login' ? token.username : undefined,
  subject: `user:${token.username}`,
  kind: token.client === undefined ? 'user' : `client:${token.client}`,
  scopes: token.scopes,
  credentialId: tokenIdOf(token.key),
});

const keyHolder = ({ label }: ApiKey): Principal => {
  const subject = `api-key:${label}`;
  return { username: undefined, subject, kind: subject, scopes: [], credentialId: subject };
};

/** Makes the security handlers. */
export const securityHandlersFor = (
  parts: CredentialParts,
): Required<Omit<SecurityHandlers, 'basic' | 'http'>> => {
  const { accounts, tokens, apiKeys, cookie, countCall, verifyIssued, clock } = parts;

  /** Finds a login or an access token. A login of the OAuth pages is not valid for operations. */
  const findToken = async (token: string): Promise<StoredToken | undefined> => {
    const hash = digest(token);
    const found = await tokens.findActive(hash, clock());
    if (found === undefined || found.kind === 'page-login') return undefined;
    return equalTexts(found.hash, hash) ? found : undefined;
  };

  return {
    async apiKey(key) {
      const hash = digest(key);
      const found = await apiKeys.findActive(hash, clock());
      return found && equalTexts(found.hash, hash) ? keyHolder(found) : undefined;
    },

    async bearer(credential, request, scheme) {
      // The tokens of this server have no dots, and those of other issuers have.
      if (verifyIssued !== undefined && credential.includes('.')) {
        const principal = await verifyIssued(credential, request, scheme);
        // The digest of a subject never equals the short key of a user.
        if (principal !== undefined) await countCall(digest(principal.subject));
        return principal;
      }
      const token = await findToken(credential);
      if (token === undefined) return undefined;
      await countCall(token.userKey);
      return callerOf(token);
    },

    async session(request) {
      const credential = cookie.read(request);
      if (credential === undefined) return undefined;
      if (!isSafeMethod(request.method) && comesFromAnotherOrigin(request)) {
        throw new HttpError(403, 'forbidden', 'The session may not be used from another origin.');
      }
      const token = await findToken(credential);
      if (token?.kind !== 'login') return undefined;
      await countCall(token.userKey);
      return callerOf(token);
    },

    async accountExists(name) {
      return (await accounts.find(name)) !== undefined;
    },
  };
};
