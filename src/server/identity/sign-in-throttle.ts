/** Limits the guessing of passwords: counts failed sign-ins by account and address, for a while. */

import type { EventCount, EventCountStorage } from '../storage/identity/event-counts';
import { digest } from './token';
import { tooManyRequests } from './too-many-requests';

/** One attempt to sign in. */
export interface SignInAttempt {
  /** The name as it was given; there need not be such an account. */
  readonly username: string;
  /** The caller's address. */
  readonly address: string;
}

/** Lets attempts through until too many have failed. */
export interface SignInThrottle {
  /** Throws HttpError 429 where the limit is used up. */
  check(attempt: SignInAttempt): Promise<void>;
  /** Counts a failure. Throws HttpError 429 where it was one more than the limit. */
  countFailure(attempt: SignInAttempt): Promise<void>;
}

const windowMilliseconds = 15 * 60 * 1000;

// An account at one address has the narrow limit, so that a stranger cannot lock its user out. The wide ones stop guesses at
// one account from many addresses, and at many accounts from one address, which may be a whole company's.
const narrow = 30;
const wide = 300;

/** Makes the throttle of one service: what is used up within 15 minutes is refused until they are over. */
export const signInThrottle = (
  service: string,
  counts: EventCountStorage,
  clock: () => number,
): SignInThrottle => {
  // Digests, because a name that was given may be long, or be a password typed into the wrong field.
  const limitsOf = ({ username, address }: SignInAttempt): ReadonlyMap<string, number> => {
    const name = (...parts: string[]) => `sign-in ${digest(JSON.stringify([service, ...parts]))}`;
    return new Map([
      [name('account and address', username, address), narrow],
      [name('account', username), wide],
      [name('address', address), wide],
    ]);
  };

  const refuse = (used: readonly EventCount[], now: number): void => {
    if (used.length === 0) return;
    const endsAt = Math.max(...used.map(({ expiresAt }) => expiresAt));
    throw tooManyRequests('Too many failed sign-ins; try again later.', now, endsAt);
  };

  return {
    async check(attempt) {
      const now = clock();
      const limits = limitsOf(attempt);
      const found = await counts.read([...limits.keys()], now);
      refuse(
        found.filter(({ name, count }) => count >= (limits.get(name) ?? 0)),
        now,
      );
    },

    async countFailure(attempt) {
      const now = clock();
      const limits = limitsOf(attempt);
      await counts.deleteExpired(now);
      const found = await counts.add([...limits.keys()], now, windowMilliseconds);
      refuse(
        found.filter(({ name, count }) => count > (limits.get(name) ?? 0)),
        now,
      );
    },
  };
};
