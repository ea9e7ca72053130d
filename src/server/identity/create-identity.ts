/** Puts the identity of one service together. */

import type { SecurityHandler, SecurityHandlers } from '../../engine';
import type { Database } from '../storage/database/database';
import { knexAccounts } from '../storage/identity/accounts';
import { knexApiKeys } from '../storage/identity/api-keys';
import { knexEventCounts } from '../storage/identity/event-counts';
import { knexTokens } from '../storage/identity/tokens';
import { type Identity, identity } from './identity';
import type { Passwords } from './password';
import { type CheckPassword, passwordCheck } from './password-check';
import { rateLimit } from './rate-limit';
import { securityHandlersFor } from './security-handlers';
import { sessionCookie } from './session-cookie';
import { signInThrottle } from './sign-in-throttle';

/** What identity depends on outside of the service. */
export interface IdentityOptions {
  readonly db: Database;
  /** One for the whole process, so that the bound on hashing is one as well. */
  readonly passwords: Passwords;
  readonly tokenTtlSeconds: number;
  readonly rateLimitPerHour: number;
  /** Whose an outside issuer's token for this service is; undefined where there is none. */
  readonly verifyIssued?: SecurityHandler<string> | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Makes what the handlers (`identity`), the engine (`security handlers`) and the authorization server (`checkPassword`) need of the
 * service's users and keys. `basePath` is where the service is mounted.
 */
export const createIdentity = (
  service: { readonly name: string; readonly basePath: string },
  { db, passwords, tokenTtlSeconds, rateLimitPerHour, verifyIssued, clock }: IdentityOptions,
): {
  readonly identity: Identity;
  readonly securityHandlers: SecurityHandlers;
  readonly checkPassword: CheckPassword;
} => {
  const accounts = knexAccounts(db, service.name);
  const tokens = knexTokens(db, service.name);
  const counts = knexEventCounts(db);
  const cookie = sessionCookie(service.basePath);
  const throttle = signInThrottle(service.name, counts, clock);
  return {
    checkPassword: passwordCheck({ accounts, passwords, throttle }),
    identity: identity({
      accounts,
      tokens,
      passwords,
      throttle,
      cookie,
      tokenTtlSeconds,
      callsPerHour: rateLimitPerHour,
      clock,
    }),
    securityHandlers: securityHandlersFor({
      accounts,
      tokens,
      apiKeys: knexApiKeys(db, service.name),
      cookie,
      countCall: rateLimit(counts, rateLimitPerHour, clock),
      verifyIssued,
      clock,
    }),
  };
};
