/** The security handlers of one service: whose an API key, a bearer token or a browser's session is. */

import {
  andThen,
  HttpError,
  type MaybePromise,
  memoize,
  type Principal,
  type SecurityHandler,
  type SecurityHandlers,
} from '../../engine';
import type { ApiKey, ApiKeyStorage } from '../storage/identity/api-keys';
import type { ActiveToken, TokenStorage } from '../storage/identity/tokens';
import type { AccountStorage } from '../storage/identity/users';
import { looksLikeJwt } from './jwt/jwt-verifier';
import type { CountCall } from './rate-limit';
import { comesFromAnotherOrigin, type SessionCookie } from './session-cookie';
import { digest, equalTexts, tokenIdOf } from './token';

/** What the security handlers use. */
export interface CredentialParts {
  readonly accounts: AccountStorage;
  readonly tokens: TokenStorage;
  readonly apiKeys: ApiKeyStorage;
  readonly cookie: SessionCookie;
  readonly countCall: CountCall;
  /** Whose an outside issuer's token is; undefined where there is none. */
  readonly verifyIssued: SecurityHandler<string> | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

// RFC 9110 section 9.2.1
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const callerOf = memoize(
  (token: ActiveToken): Principal => ({
    username: token.kind === 'login' ? token.username : undefined,
    subject: `user:${token.username}`,
    scopes: token.scopes,
    credentialId: tokenIdOf(token.key),
  }),
);

const keyHolder = memoize(({ label }: ApiKey): Principal => {
  const subject = `api-key:${label}`;
  return { username: undefined, subject, scopes: [], credentialId: subject };
});

/** Makes the security handlers. */
export const securityHandlersFor = (
  parts: CredentialParts,
): Required<Omit<SecurityHandlers, 'basic' | 'http'>> => {
  const { accounts, tokens, apiKeys, cookie, countCall, verifyIssued, clock } = parts;

  const findToken = (token: string): MaybePromise<ActiveToken | undefined> => {
    const hash = digest(token);
    return andThen(tokens.findActive(hash, clock()), (found) =>
      found && equalTexts(found.hash, hash) ? found : undefined,
    );
  };

  return {
    apiKey(key) {
      const hash = digest(key);
      return andThen(apiKeys.findActive(hash), (found) =>
        found && equalTexts(found.hash, hash) ? keyHolder(found) : undefined,
      );
    },

    bearer(credential, request) {
      if (verifyIssued !== undefined && looksLikeJwt(credential)) {
        return andThen(
          verifyIssued(credential, request),
          // A digest, because users' keys are short and subjects need not be.
          (principal) =>
            principal && andThen(countCall(digest(principal.subject)), () => principal),
        );
      }
      return andThen(
        findToken(credential),
        (token) => token && andThen(countCall(token.userKey), () => callerOf(token)),
      );
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
