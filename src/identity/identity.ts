/** Signs users in and out, and finds the callers of API keys, bearer tokens and sessions. */

import type { SecurityHandlers } from '../engine';
import type { CredentialRequest, Principal } from '../http/caller';
import { HttpError } from '../http/http-error';
import { isSafeMethod } from '../http/request';
import type { Database } from '../storage/database/database';
import { type ApiKeyStorage, knexApiKeys } from '../storage/identity/api-keys';
import { knexEventCounts } from '../storage/identity/event-counts';
import { knexSignInNetworks } from '../storage/identity/sign-in-networks';
import {
  knexTokens,
  type StoredToken,
  type TokenStorage,
  tokenIdOf,
  tokenKeyOf,
} from '../storage/identity/tokens';
import { type AccountStorage, knexAccounts, subjectOf } from '../storage/identity/users';
import { type Passwords, passwordProblem } from './password';
import { type CheckPassword, type OnDisabled, passwordCheck } from './password-check';
import { type CountCall, rateLimit } from './rate-limit';
import type { IsForResource } from './resources';
import { comesFromAnotherOrigin, type SessionCookie, sessionCookie } from './session-cookie';
import { type Clock, digest, equalTexts, issueLogin } from './token';

const callerOf = ({ kind, username, client, scopes, key }: StoredToken): Principal => {
  // A client whose identifier is a URL chooses that itself.
  const counted = client !== undefined && /^https?:/.test(client) ? 'metadata' : client;
  return {
    username: kind === 'login' ? username : undefined,
    subject: subjectOf(username),
    kind: counted === undefined ? 'user' : `client:${counted}`,
    scopes,
    credentialId: tokenIdOf(key),
  };
};

/** Makes the security handlers of one service. */
export const securityHandlersFor = (parts: {
  readonly accounts: AccountStorage;
  readonly tokens: TokenStorage;
  readonly apiKeys: ApiKeyStorage;
  readonly cookie: SessionCookie;
  readonly checkPassword: CheckPassword;
  readonly countCall: CountCall;
  /** Verifies a token of an outside issuer; undefined where there is no such issuer. */
  readonly verifyIssued: SecurityHandlers['bearer'];
  /** Undefined where no token is good that is for some resource alone. */
  readonly isForResource: IsForResource | undefined;
  readonly clock: Clock;
}): Required<
  Pick<SecurityHandlers, 'apiKey' | 'bearer' | 'basic' | 'session' | 'accountExists'>
> => {
  const { accounts, tokens, apiKeys, cookie, countCall, verifyIssued, clock } = parts;

  /** Refuses what a browser may have sent of itself for a page of another origin. */
  const refuseOtherOrigin = (request: CredentialRequest, credential: string): void => {
    if (isSafeMethod(request.method) || !comesFromAnotherOrigin(request)) return;
    throw new HttpError(403, 'forbidden', `The ${credential} may not be used from another origin.`);
  };

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
      if (found === undefined || !equalTexts(found.hash, hash)) return undefined;
      const subject = `api-key:${found.label}`;
      return { username: undefined, subject, kind: subject, scopes: [], credentialId: subject };
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
      const isFor = (resource: string) => parts.isForResource?.(resource, request) === true;
      if (token === undefined || token.resources?.some(isFor) === false) return undefined;
      await countCall(token.userKey);
      return callerOf(token);
    },

    async basic({ username, password }, request) {
      // Browsers keep passwords that they have asked for.
      refuseOtherOrigin(request, 'password');
      const account = await parts.checkPassword(username, password, request);
      if (account === undefined) return undefined;
      await countCall(account.key);
      const { username: name } = account;
      const subject = subjectOf(name);
      return { username: name, subject, kind: 'user', scopes: [], credentialId: subject };
    },

    async session(request) {
      const credential = cookie.read(request);
      if (credential === undefined) return undefined;
      refuseOtherOrigin(request, 'session');
      const token = await findToken(credential);
      if (token?.kind !== 'login') return undefined;
      await countCall(token.userKey);
      return callerOf(token);
    },

    accountExists: async (name) => (await accounts.find(name)) !== undefined,
  };
};

/**
 * Makes the identity of a service: for its handlers (`identity`), the engine (`securityHandlers`) and the authorization server
 * (`checkPassword`). `basePath` is the path of the service.
 */
export const createIdentity = (
  service: { readonly name: string; readonly basePath: string },
  options: {
    readonly config: {
      readonly minPasswordLength: number;
      readonly tokenTtlSeconds: number;
      readonly rateLimitPerHour: number;
    };
    readonly db: Database;
    readonly passwords: Passwords;
    /** Verifies a token of an outside issuer; undefined where there is no such issuer. */
    readonly verifyIssued?: SecurityHandlers['bearer'];
    /** Undefined where no token is good that is for some resource alone. */
    readonly isForResource?: IsForResource;
    readonly onDisabled?: OnDisabled;
    readonly clock: Clock;
  },
) => {
  const { config, db, passwords, verifyIssued, onDisabled, isForResource, clock } = options;
  const { minPasswordLength, tokenTtlSeconds, rateLimitPerHour } = config;
  const accounts = knexAccounts(db, service.name);
  const tokens = knexTokens(db, service.name);
  const counts = knexEventCounts(db);
  const countCall = rateLimit(counts, rateLimitPerHour, clock);
  const cookie = sessionCookie(service.basePath);
  const parts = {
    ...{ service: service.name, accounts, tokens, counts, passwords, cookie, countCall, clock },
    apiKeys: knexApiKeys(db, service.name),
    networks: knexSignInNetworks(db, service.name),
    ...{ verifyIssued, onDisabled, isForResource },
  };
  const checkPassword = passwordCheck(parts);

  const countCalls = async (caller: Principal | undefined, calls: number): Promise<void> => {
    if (caller?.username === undefined || calls <= 0) return;
    const account = await accounts.find(caller.username);
    for (let call = 0; account !== undefined && call < calls; call += 1) {
      await countCall(account.key);
    }
  };

  const identity = {
    /**
     * Makes salted hashes of the passwords in their order; undefined for a missing or empty password, with which sign-in is
     * impossible. Callers take turns, and each password beyond the first counts as one more call of a signed-in caller. Throws
     * HttpError 413 for more passwords than one request may set, `invalid-body` where one is too short, 429 beyond the calls of the
     * hour, 503 under too much load.
     */
    async hashPasswords(
      given: readonly (string | undefined)[],
      caller: Principal | undefined,
    ): Promise<(string | undefined)[]> {
      const present = given.filter((password): password is string => Boolean(password));
      // Each takes a large part of a second of processor time.
      const passwordsPerRequest = 200;
      if (present.length > passwordsPerRequest) {
        const message = `One request may set ${passwordsPerRequest} passwords at most.`;
        throw new HttpError(413, 'body-too-large', message);
      }
      for (const password of present) {
        const problem = passwordProblem(password, minPasswordLength);
        if (problem === undefined) continue;
        throw new HttpError(400, 'invalid-body', `The password ${problem}.`, {
          errors: [{ in: 'body', path: '', message: `the password ${problem}` }],
        });
      }
      await countCalls(caller, present.length - 1);
      const hashes: (string | undefined)[] = given.map(() => undefined);
      const left = given.entries();
      const hashNext = async (): Promise<void> => {
        for (const [index, password] of left) {
          if (password) hashes[index] = await passwords.hash(password, caller?.subject);
        }
      };
      // Two at once: others get their turns between the hashes of a long list, and the list does not fill the queue.
      await Promise.all([hashNext(), hashNext()]);
      return hashes;
    },

    /**
     * Checks a name and a password; undefined where they are wrong or the user is disabled, after the same time whether or not the
     * name exists. Throws HttpError 429 after too many failures.
     */
    async signIn(username: string, password: string, client: CredentialRequest) {
      const account = await checkPassword(username, password, client);
      if (account === undefined) return undefined;
      const issued = await issueLogin(tokens, 'login', account.key, tokenTtlSeconds, clock());
      if (issued === undefined) return undefined;
      const { secret, expiresAt } = issued;
      return {
        /** The bearer token; only its digest is stored. */
        token: secret,
        expiresAt: new Date(expiresAt),
        /** The number of calls with a bearer token that the user may make in an hour. */
        callsPerHour: rateLimitPerHour,
        /**
         * The Set-Cookie value of the session; undefined for a page of another origin, which must not sign its visitors in as another
         * user (login CSRF).
         */
        sessionCookie: comesFromAnotherOrigin(client)
          ? undefined
          : cookie.start(secret, tokenTtlSeconds, client.secure),
      };
    },

    /** Ends the credential that the caller presented, in every process. */
    async signOut({ credentialId }: Principal): Promise<void> {
      const key = tokenKeyOf(credentialId);
      if (key !== undefined) await tokens.revoke([key]);
    },

    /** The Set-Cookie value that makes a browser delete its session. */
    endedSession: cookie.end,
  };

  const securityHandlers = securityHandlersFor({ ...parts, checkPassword });
  return { identity, securityHandlers, checkPassword };
};

/** The identity of a service, for its handlers. */
export type Identity = ReturnType<typeof createIdentity>['identity'];
