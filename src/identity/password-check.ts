/**
 * Checks a name and a password, until too many attempts on an account or from a network have failed, across all processes: a limit
 * that is used up within 15 minutes refuses all until they are over.
 */

import { comparableUserName } from '../base/text/precis';
import { type ClientInfo, networkOf } from '../http/caller';
import type { EventCount, EventCountStorage } from '../storage/identity/event-counts';
import type { SignInNetworkStorage } from '../storage/identity/sign-in-networks';
import type { Account, AccountStorage } from '../storage/identity/users';
import type { Passwords } from './password';
import { tooManyRequests } from './rate-limit';
import { type Clock, digest } from './token';

const windowMilliseconds = 15 * 60 * 1000;

/** The most failures, what they have in common, and the values that tell it. */
type AttemptLimit = readonly [most: number, common: string, ...values: string[]];

// The narrow limit is for an account and a network together, so that a stranger cannot lock the user out. The wide limits stop
// guesses at one account from many networks, and at many accounts from one network, which may be a company's.
const narrow = 30;
const wide = 300;

/**
 * Finds the account of a name and a password; undefined where they are wrong or the user is disabled, after the same time whether or
 * not the name exists.
 * Throws HttpError 429 after too many failures, 503 under too much load.
 */
export type CheckPassword = (
  username: string,
  password: string,
  client: Pick<ClientInfo, 'address'>,
) => Promise<Account | undefined>;

/** Called where a disabled user gave the right password, which the caller is not to know. */
export type OnDisabled = (username: string, address: string) => void;

/** Makes the check of one service. */
export const passwordCheck =
  (parts: {
    readonly service: string;
    readonly accounts: AccountStorage;
    readonly passwords: Passwords;
    readonly counts: EventCountStorage;
    readonly networks: SignInNetworkStorage;
    readonly clock: Clock;
    readonly onDisabled: OnDisabled | undefined;
  }): CheckPassword =>
  async (username, password, { address }) => {
    const { service, accounts, passwords, counts, networks, clock, onDisabled } = parts;
    const network = networkOf(address);
    const account = await accounts.findComparable(username);
    // All spellings of a name share their limits.
    const name = comparableUserName(username);
    const limits: readonly AttemptLimit[] = [
      [narrow, 'account and address', name, network],
      [wide, 'account', name],
      [wide, 'address', network],
    ];
    // Digests, because a given name may be long, or a password in the wrong field.
    const nameOf = ([, ...told]: AttemptLimit): string =>
      `sign-in ${digest(JSON.stringify([service, ...told]))}`;
    const limitsByName = new Map(limits.map((limit) => [nameOf(limit), limit]));
    const names = [...limitsByName.keys()];

    // The digest has the key of the user, so that equal networks of two users cannot be recognized.
    const digestFor = ({ key }: Account) => digest(JSON.stringify([service, key, network]));
    /** The limit of the account spares networks from which its user has signed in, so that an attack from everywhere does not lock the user out. */
    const isSpared = async (used: readonly AttemptLimit[]): Promise<boolean> =>
      account !== undefined &&
      used.every(([, common]) => common === 'account') &&
      (await networks.isKnown(account.key, digestFor(account), clock()));

    /** Refuses where a limit is used up; `allowance` is the number of attempts that are not yet counted. */
    const requireLeft = async (found: readonly EventCount[], allowance: number): Promise<void> => {
      const limitOf = ({ name }: EventCount): AttemptLimit => limitsByName.get(name) ?? [0, ''];
      const used = found.filter((count) => count.count + allowance > limitOf(count)[0]);
      if (used.length === 0 || (await isSpared(used.map(limitOf)))) return;
      const endsAt = Math.max(...used.map(({ expiresAt }) => expiresAt));
      throw tooManyRequests('Too many failed sign-ins; try again later.', clock(), endsAt);
    };
    const checkLimits = async (): Promise<void> =>
      requireLeft(await counts.read(names, clock(), windowMilliseconds), 1);

    await checkLimits();
    const isRight = await passwords.matches(password, account?.passwordHash, network);
    if (account === undefined || !isRight || account.disabledAt !== undefined) {
      if (account !== undefined && isRight) onDisabled?.(account.username, address);
      await counts.deleteExpired(clock());
      await requireLeft(await counts.add(names, clock(), windowMilliseconds), 0);
      return undefined;
    }
    // Concurrent guesses all pass the first check; those that end beyond the limit learn nothing.
    await checkLimits();
    await networks.remember(account.key, digestFor(account), clock());
    return account;
  };
