/** Signs users in and out. */

import { type ClientInfo, HttpError, type Principal } from '../../engine';
import type { TokenStorage } from '../storage/identity/tokens';
import { admission } from './admission';
import { issueLogin } from './login-token';
import { type PasswordCheckParts, passwordCheck } from './password-check';
import type { SessionCookie } from './session-cookie';

/** What a sign-in gives. */
export interface Login {
  /** The bearer token; it stands here and nowhere else. */
  readonly token: string;
  readonly expiresAt: Date;
  /** Calls with a bearer token that the user may make in an hour. */
  readonly callsPerHour: number;
  /** The Set-Cookie value by which a browser stays signed in. */
  readonly sessionCookie: string;
}

/** The identity of a service, for its handlers. */
export interface Identity {
  /**
   * Salted hashes of the passwords in their order; a missing or empty password gives none, so that it cannot be used to sign
   * in. Throws HttpError 413 for more than one request may have hashed, 503 under too much load.
   */
  hashPasswords(passwords: readonly (string | undefined)[]): Promise<(string | undefined)[]>;
  /**
   * Checks a name and a password; undefined where they do not fit, after the same time whether or not the name exists.
   * Throws HttpError 429 after too many failures.
   */
  signIn(username: string, password: string, client: ClientInfo): Promise<Login | undefined>;
  /** Ends the credential that the caller presented, for every process. */
  signOut(principal: Principal): Promise<void>;
  /** The Set-Cookie value that makes a browser delete its session. */
  readonly endedSession: string;
}

/** What identity is made of. */
export interface IdentityParts extends PasswordCheckParts {
  readonly tokens: TokenStorage;
  readonly cookie: SessionCookie;
  readonly tokenTtlSeconds: number;
  readonly callsPerHour: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

// Each takes a large part of a second of processor time.
const passwordsPerRequest = 200;

/** Makes the identity of one service. */
export const identity = (parts: IdentityParts): Identity => {
  const { tokens, passwords, cookie, tokenTtlSeconds, clock } = parts;
  const findSigningIn = passwordCheck(parts);

  const startLogin = async (userKey: string, secure: boolean): Promise<Login | undefined> => {
    const issued = await issueLogin(tokens, userKey, tokenTtlSeconds, clock());
    if (issued === undefined) return undefined;
    const { secret, expiresAt } = issued;
    return {
      token: secret,
      expiresAt: new Date(expiresAt),
      callsPerHour: parts.callsPerHour,
      sessionCookie: cookie.start(secret, tokenTtlSeconds, secure),
    };
  };

  return {
    async hashPasswords(given) {
      if (given.filter(Boolean).length > passwordsPerRequest) {
        throw new HttpError(
          413,
          'body-too-large',
          `One request may set ${passwordsPerRequest} passwords at most.`,
        );
      }
      // Two at a time: a long list leaves others their turns, and does not fill the queue by itself.
      const admit = admission({ atOnce: 2, waiting: given.length });
      return Promise.all(
        given.map((password) => (password ? admit(() => passwords.hash(password)) : undefined)),
      );
    },

    async signIn(username, password, client) {
      const account = await findSigningIn(username, password, client);
      return account && startLogin(account.key, client.secure);
    },

    async signOut({ credentialId }) {
      const key = tokenKeyOf(credentialId);
      if (key !== undefined) await tokens.revoke(key);
    },

    endedSession: cookie.end,
  };
};

const handlePrefix = 'token:';

/** The handle under which a caller's token can be ended. */
export const tokenHandle = (key: string): string => `${handlePrefix}${key}`;

const tokenKeyOf = (handle: string): string | undefined =>
  handle.startsWith(handlePrefix) ? handle.slice(handlePrefix.length) : undefined;
