/** Limits attempts, such as guesses, across all processes. A limit that is used up within 15 minutes refuses all until they are over. */

import type { EventCount, EventCountStorage } from '../../storage/identity/event-counts';
import { tooManyRequests } from './rate-limit';
import { digest } from './token';

const windowMilliseconds = 15 * 60 * 1000;

// The narrow limit is for an account and a network together, so that a stranger cannot lock the user out. The wide limits stop
// guesses at one account from many networks, and at many accounts from one network, which may be a company's.
const narrow = 30;
const wide = 300;

/** The most attempts, and what names their counter: of what they are, and the values that tell it. */
type AttemptLimit = readonly [
  most: number,
  of: 'address' | 'account' | 'account and address',
  ...values: string[],
];

/** Makes the limit of all attempts from a network. */
export const networkLimit = (network: string): AttemptLimit => [wide, 'address', network];

/** Makes the limits of guesses at, or by, an account from a network. */
export const guessLimits = (account: string, network: string): readonly AttemptLimit[] => [
  [narrow, 'account and address', account, network],
  [wide, 'account', account],
  networkLimit(network),
];

/** Makes the function that limits the attempts of one kind. What it makes throws HttpError 429 where a limit is used up. */
export const attemptLimiter = (parts: {
  readonly service: string;
  /** The kind, which the names of the counters begin with. */
  readonly kind: string;
  /** The sentence of the error. */
  readonly refusal: string;
  readonly counts: EventCountStorage;
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
}) => {
  const { service, kind, refusal, counts, clock } = parts;

  // Digests, because a given name may be long, or a password in the wrong field.
  const counterName = ([, ...values]: AttemptLimit): string =>
    `${kind} ${digest(JSON.stringify([service, ...values]))}`;

  /** @param isSpared tells whether the attempt may go on though these limits are used up */
  return (
    limits: readonly AttemptLimit[],
    isSpared: (used: readonly AttemptLimit[]) => Promise<boolean> = async () => false,
  ) => {
    const names = limits.map(counterName);

    /** Refuses where a limit is used up; `allowance` is the number of attempts that are not yet counted. */
    const requireLeft = async (found: readonly EventCount[], allowance: number): Promise<void> => {
      const countOf = (limit: AttemptLimit) =>
        found.find(({ name }) => name === counterName(limit)) ?? { count: 0, expiresAt: 0 };
      const used = limits.filter((limit) => countOf(limit).count + allowance > limit[0]);
      if (used.length === 0 || (await isSpared(used))) return;
      const endsAt = Math.max(...used.map((limit) => countOf(limit).expiresAt));
      throw tooManyRequests(refusal, clock(), endsAt);
    };

    return {
      /** Checks that one more attempt is allowed. */
      check: async (): Promise<void> =>
        requireLeft(await counts.read(names, clock(), windowMilliseconds), 1),

      /** Counts an attempt. */
      async count(): Promise<void> {
        await counts.deleteExpired(clock());
        await requireLeft(await counts.add(names, clock(), windowMilliseconds), 0);
      },
    };
  };
};
