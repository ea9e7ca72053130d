/** Signs users in and out. */

import {
  type CredentialRequest,
  HttpError,
  type Principal,
  type SecurityHandler,
} from '../../engine';
import type { Database } from '../../storage/database/database';
import { knexAccounts } from '../../storage/identity/accounts';
import { knexApiKeys } from '../../storage/identity/api-keys';
import { knexEventCounts } from '../../storage/identity/event-counts';
import { knexSignInNetworks } from '../../storage/identity/sign-in-networks';
import { knexTokens, tokenKeyOf } from '../../storage/identity/tokens';
import { admission, type Passwords, passwordProblem } from './password';
import { passwordCheck } from './password-check';
import { rateLimit } from './rate-limit';
import { securityHandlersFor } from './security-handlers';
import { comesFromAnotherOrigin, sessionCookie } from './session-cookie';
import { issueLogin } from './token';

/** What a sign-in gives. */
interface Login {
  /** The bearer token; it stands here and nowhere else. */
  readonly token: string;
  readonly expiresAt: Date;
  /** Calls with a bearer token that the user may make in an hour. */
  readonly callsPerHour: number;
  /**
   * The Set-Cookie value by which a browser stays signed in; undefined for a page of another origin, which must not sign its
   * visitors in as somebody of its choice (login CSRF).
   */
  readonly sessionCookie: string | undefined;
}

/** The identity of a service, for its handlers. */
export interface Identity {
  /**
   * Makes salted hashes of the passwords in their order; a missing or empty password gives none, so that it cannot be used to
   * sign in. Callers take turns, and each password beyond the first counts as one more call of a caller who is logged in.
   * Throws HttpError 413 for more than one request may have hashed, `invalid-body` where one is too short, 429 beyond the
   * calls of the hour, 503 under too much load.
   */
  hashPasswords(
    passwords: readonly (string | undefined)[],
    caller: Principal | undefined,
  ): Promise<(string | undefined)[]>;
  /**
   * Checks a name and a password; undefined where they do not fit, after the same time whether or not the name exists.
   * Throws HttpError 429 after too many failures.
   */
  signIn(username: string, password: string, client: CredentialRequest): Promise<Login | undefined>;
  /** Ends the credential that the caller presented, for every process. */
  signOut(principal: Principal): Promise<void>;
  /** The Set-Cookie value that makes a browser delete its session. */
  readonly endedSession: string;
}

/** What identity depends on outside of the service. */
interface IdentityOptions {
  readonly db: Database;
  /** One for the whole process, so that the bound on hashing is one as well. */
  readonly passwords: Passwords;
  /** Characters that a new password has at least. */
  readonly minPasswordLength: number;
  readonly tokenTtlSeconds: number;
  readonly rateLimitPerHour: number;
  /** Whose an outside issuer's token for this service is; undefined where there is none. */
  readonly verifyIssued?: SecurityHandler<string> | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

// Each takes a large part of a second of processor time.
const passwordsPerRequest = 200;

const requireLength = (given: readonly (string | undefined)[], minLength: number): void => {
  for (const password of given) {
    const problem = password ? passwordProblem(password, minLength) : undefined;
    if (problem === undefined) continue;
    throw new HttpError(400, 'invalid-body', `The password ${problem}.`, {
      errors: [{ in: 'body', path: '', message: `the password ${problem}` }],
    });
  }
};

/**
 * Makes what the handlers (`identity`), the engine (`securityHandlers`) and the authorization server (`checkPassword`) need of the
 * service's users and keys. `basePath` is where the service is mounted.
 */
export const createIdentity = (
  service: { readonly name: string; readonly basePath: string },
  options: IdentityOptions,
) => {
  const { db, passwords, minPasswordLength, tokenTtlSeconds, clock } = options;
  const { rateLimitPerHour, verifyIssued } = options;
  const accounts = knexAccounts(db, service.name);
  const tokens = knexTokens(db, service.name);
  const counts = knexEventCounts(db);
  const countCall = rateLimit(counts, rateLimitPerHour, clock);
  const cookie = sessionCookie(service.basePath);
  const checkPassword = passwordCheck({
    ...{ accounts, passwords, counts, clock },
    networks: knexSignInNetworks(db, service.name),
    service: service.name,
  });
  /** Counts further calls of a caller who is logged in. */
  const countCalls = async (caller: Principal | undefined, calls: number): Promise<void> => {
    if (caller?.username === undefined || calls <= 0) return;
    const account = await accounts.find(caller.username);
    for (let call = 0; account !== undefined && call < calls; call += 1) {
      await countCall(account.key);
    }
  };
  const identity: Identity = {
    async hashPasswords(given, caller) {
      const count = given.filter(Boolean).length;
      if (count > passwordsPerRequest) {
        throw new HttpError(
          413,
          'body-too-large',
          `One request may set ${passwordsPerRequest} passwords at most.`,
        );
      }
      requireLength(given, minPasswordLength);
      await countCalls(caller, count - 1);
      // Two at a time: a long list leaves others their turns, and does not fill the queue by itself.
      const admit = admission({ atOnce: 2, waiting: given.length });
      return Promise.all(
        given.map((password) =>
          password ? admit(() => passwords.hash(password, caller?.subject)) : undefined,
        ),
      );
    },

    async signIn(username, password, client) {
      const account = await checkPassword(username, password, client);
      const issued =
        account && (await issueLogin(tokens, 'login', account.key, tokenTtlSeconds, clock()));
      return (
        issued && {
          token: issued.secret,
          expiresAt: new Date(issued.expiresAt),
          callsPerHour: rateLimitPerHour,
          sessionCookie: comesFromAnotherOrigin(client)
            ? undefined
            : cookie.start(issued.secret, tokenTtlSeconds, client.secure),
        }
      );
    },

    async signOut({ credentialId }) {
      const key = tokenKeyOf(credentialId);
      if (key !== undefined) await tokens.revoke(key);
    },

    endedSession: cookie.end,
  };
  const securityHandlers = securityHandlersFor({
    ...{ accounts, tokens, cookie, verifyIssued, clock },
    apiKeys: knexApiKeys(db, service.name),
    countCall,
  });
  return { identity, securityHandlers, checkPassword };
};
