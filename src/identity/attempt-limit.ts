/** Limits attempts that fail, across all processes: a limit that is used up within 15 minutes refuses all until they are over. */

import type { EventCount, EventCountStorage } from '../storage/identity/event-counts';
import { tooManyRequests } from './rate-limit';
import { digest } from './token';

const windowMilliseconds = 15 * 60 * 1000;

/** The most failures, what they have in common, and the values that tell it. */
type AttemptLimit = readonly [most: number, common: string, ...values: string[]];

// The narrow limit is for an account and a network together, so that a stranger cannot lock the user out. The wide limits stop
// guesses at one account from many networks, and at many accounts from one network, which may be a company's.
const narrow = 30;
const wide = 300;

/** Makes the limit of failures from a network. */
export const networkLimit = (network: string): AttemptLimit => [wide, 'address', network];

/** Makes the limits of guesses at, or by, an account. */
export const guessLimits = (account: string, network: string): readonly AttemptLimit[] => [
  [narrow, 'account and address', account, network],
  [wide, 'account', account],
  networkLimit(network),
];

/**
 * Makes the function that runs attempts of one kind, and counts those that give undefined. It throws HttpError 429 with the sentence
 * of `refusal` where a limit is used up, unless the attempt is spared though the given limits are.
 */
export const attemptLimiter =
  (
    { counts, clock }: { readonly counts: EventCountStorage; readonly clock: () => number },
    { service, kind, refusal }: Readonly<Record<'service' | 'kind' | 'refusal', string>>,
  ) =>
  async <Result>(
    limits: readonly AttemptLimit[],
    attempt: () => Promise<Result | undefined>,
    isSpared: (used: readonly AttemptLimit[]) => Promise<boolean> = async () => false,
  ): Promise<Result | undefined> => {
    // Digests, because a given name may be long, or a password in the wrong field.
    const limitsByName = new Map(
      limits.map((limit) => [
        `${kind} ${digest(JSON.stringify([service, ...limit.slice(1)]))}`,
        limit,
      ]),
    );
    const names = [...limitsByName.keys()];

    /** Refuses where a limit is used up; `allowance` is the number of attempts that are not yet counted. */
    const requireLeft = async (found: readonly EventCount[], allowance: number): Promise<void> => {
      const limitOf = ({ name }: EventCount): AttemptLimit => limitsByName.get(name) ?? [0, ''];
      const used = found.filter((one) => one.count + allowance > limitOf(one)[0]);
      if (used.length === 0 || (await isSpared(used.map(limitOf)))) return;
      const endsAt = Math.max(...used.map(({ expiresAt }) => expiresAt));
      throw tooManyRequests(refusal, clock(), endsAt);
    };
    const checkLimits = async (): Promise<void> =>
      requireLeft(await counts.read(names, clock(), windowMilliseconds), 1);

    await checkLimits();
    const result = await attempt();
    if (result === undefined) {
      await counts.deleteExpired(clock());
      await requireLeft(await counts.add(names, clock(), windowMilliseconds), 0);
      return undefined;
    }
    // Concurrent guesses all pass the first check; those that end beyond the limit learn nothing.
    await checkLimits();
    return result;
  };
