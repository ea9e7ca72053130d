/** Slows down whoever guesses passwords: counts failed sign-ins by account and by address, for a while. */

import type { EventCount, EventCountStorage } from '../storage/event-counts';
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

const failuresAllowed = 30;
const windowMilliseconds = 15 * 60 * 1000;

/** Makes the throttle of one service: 30 failures in 15 minutes, then nothing until the 15 minutes are over. */
export const signInThrottle = (
  service: string,
  counters: EventCountStorage,
  clock: () => number,
): SignInThrottle => {
  // Digests, because a name that was given may be long, or be a password typed into the wrong field.
  const namesOf = ({ username, address }: SignInAttempt): string[] => [
    `sign-in account ${digest(`${service}\n${username}`)}`,
    `sign-in address ${digest(`${service}\n${address}`)}`,
  ];

  const refuseAbove = (allowed: number, counts: readonly EventCount[], now: number): void => {
    const used = counts.filter(({ count }) => count > allowed);
    if (used.length === 0) return;
    const endsAt = Math.max(...used.map(({ expiresAt }) => expiresAt));
    throw tooManyRequests('Too many failed sign-ins; try again later.', now, endsAt);
  };

  return {
    async check(attempt) {
      const now = clock();
      refuseAbove(failuresAllowed - 1, await counters.read(namesOf(attempt), now), now);
    },

    async countFailure(attempt) {
      const now = clock();
      await counters.forgetExpired(now);
      const counts = await counters.add(namesOf(attempt), now, windowMilliseconds);
      refuseAbove(failuresAllowed, counts, now);
    },
  };
};
