/** The verifiers of one service: whose an API key, a bearer token or a browser's session is. */

import { HttpError } from '../http/http-error';
import type { Caller } from '../openapi/caller';
import type { Verifiers, Verify } from '../openapi/verifier';
import type { AccountStorage } from '../storage/accounts';
import type { ApiKeyStorage } from '../storage/api-keys';
import type { LiveToken, TokenStorage } from '../storage/tokens';
import type { CountCall } from './call-limit';
import { tokenHandle } from './identity';
import { looksLikeJwt } from './issuer/issuer-tokens';
import { comesFromAnotherOrigin } from './same-origin';
import type { SessionCookie } from './session-cookie';
import { digest, equalDigests } from './token';

/** What the verifiers look things up in. */
export interface CredentialParts {
  readonly accounts: AccountStorage;
  readonly tokens: TokenStorage;
  readonly apiKeys: ApiKeyStorage;
  readonly cookie: SessionCookie;
  readonly countCall: CountCall;
  /** Whose an outside issuer's token is; undefined where there is none. */
  readonly verifyIssued: Verify<string> | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

// RFC 9110 section 9.2.1
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const callerOf = (token: LiveToken): Caller => ({
  loggedInAs: token.kind === 'login' ? token.username : undefined,
  subject: `user:${token.username}`,
  scopes: token.scopes,
  handle: tokenHandle(token.key),
});

/** Makes the verifiers. */
export const verifiersFor = (
  parts: CredentialParts,
): Required<Omit<Verifiers, 'basic' | 'http'>> => {
  const { accounts, tokens, apiKeys, cookie, countCall, verifyIssued, clock } = parts;

  const findToken = async (token: string): Promise<LiveToken | undefined> => {
    const hash = digest(token);
    const found = await tokens.findLive(hash, clock());
    return found && equalDigests(found.hash, hash) ? found : undefined;
  };

  return {
    async apiKey(key) {
      const hash = digest(key);
      const found = await apiKeys.findLive(hash);
      if (!found || !equalDigests(found.hash, hash)) return undefined;
      const subject = `api-key:${found.label}`;
      return { loggedInAs: undefined, subject, scopes: [], handle: subject };
    },

    async bearer(credential, request) {
      if (verifyIssued !== undefined && looksLikeJwt(credential)) {
        const caller = await verifyIssued(credential, request);
        // A digest, because users' keys are short and subjects need not be.
        if (caller !== undefined) await countCall(digest(caller.subject));
        return caller;
      }
      const token = await findToken(credential);
      if (!token) return undefined;
      await countCall(token.userKey);
      return callerOf(token);
    },

    async session(request) {
      const credential = cookie.read(request);
      if (credential === undefined) return undefined;
      if (!safeMethods.has(request.method) && comesFromAnotherOrigin(request)) {
        throw new HttpError(403, 'forbidden', 'The session may not be used from another origin.');
      }
      const token = await findToken(credential);
      return token?.kind === 'login' ? callerOf(token) : undefined;
    },

    async accountExists(name) {
      return (await accounts.find(name)) !== undefined;
    },
  };
};
