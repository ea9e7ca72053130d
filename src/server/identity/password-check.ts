/** Checks a name and a password, until too many attempts on an account or from a network have failed. */

import { comparableUserName } from '../../base/text/precis';
import type { ClientInfo } from '../../http/caller';
import type { Account, AccountStorage } from '../../storage/identity/accounts';
import type { EventCount, EventCountStorage } from '../../storage/identity/event-counts';
import type { SignInNetworkStorage } from '../../storage/identity/sign-in-networks';
import { networkOf } from '../http/network-of';
import type { Passwords } from './password';
import { tooManyRequests } from './rate-limit';
import { digest } from './token';

/**
 * Finds the account of a name and a password; undefined where they are wrong, after the same time whether or not the name exists.
 * Throws HttpError 429 after too many failures, 503 under too much load.
 */
export type CheckPassword = (
  username: string,
  password: string,
  client: Pick<ClientInfo, 'address'>,
) => Promise<Account | undefined>;

const windowMilliseconds = 15 * 60 * 1000;

// The narrow limit is for an account and a network together, so that a stranger cannot lock the user out. The wide limits stop
// guesses at one account from many networks, and at many accounts from one network, which may be a company's. The limit of the
// account spares networks from which its user has signed in, so that an attack from everywhere does not lock the user out.
const narrow = 30;
const wide = 300;

/** Makes the check of one service. A limit that is used up within 15 minutes refuses all attempts until they are over. */
export const passwordCheck = (parts: {
  readonly service: string;
  readonly accounts: AccountStorage;
  readonly passwords: Passwords;
  readonly counts: EventCountStorage;
  readonly networks: SignInNetworkStorage;
  readonly clock: () => number;
}): CheckPassword => {
  const { service, accounts, passwords, counts, networks, clock } = parts;

  // Digests, because the given name may be long, or a password in the wrong field.
  const counterName = (...values: string[]) =>
    `sign-in ${digest(JSON.stringify([service, ...values]))}`;

  const refuse = (used: readonly EventCount[]) => {
    const endsAt = Math.max(...used.map(({ expiresAt }) => expiresAt));
    return tooManyRequests('Too many failed sign-ins; try again later.', clock(), endsAt);
  };

  return async (username, password, { address }) => {
    const network = networkOf(address);
    const account = await accounts.findComparable(username);
    // All spellings of a name share their limits.
    const name = comparableUserName(username);
    const ofAccount = counterName('account', name);
    const limits = new Map([
      [counterName('account and address', name, network), narrow],
      [ofAccount, wide],
      [counterName('address', network), wide],
    ]);
    const names = [...limits.keys()];
    // The digest has the key of the user, so that equal networks of two users cannot be recognized.
    const digestFor = ({ key }: Account) => digest(JSON.stringify([service, key, network]));

    /** Refuses where a limit is used up; `allowance` is the number of attempts that are not yet counted. */
    const requireLeft = async (found: readonly EventCount[], allowance: number): Promise<void> => {
      const used = found.filter((one) => one.count + allowance > (limits.get(one.name) ?? 0));
      if (used.length === 0) return;
      const isSpared = used.every((one) => one.name === ofAccount) && account !== undefined;
      if (isSpared && (await networks.isKnown(account.key, digestFor(account), clock()))) return;
      throw refuse(used);
    };
    const checkLimits = async (): Promise<void> =>
      requireLeft(await counts.read(names, clock(), windowMilliseconds), 1);

    await checkLimits();
    if (!(await passwords.matches(password, account?.passwordHash, network))) {
      await counts.deleteExpired(clock());
      await requireLeft(await counts.add(names, clock(), windowMilliseconds), 0);
      return undefined;
    }
    // Concurrent guesses all pass the first check; those that end beyond the limit learn nothing.
    await checkLimits();
    if (account) await networks.remember(account.key, digestFor(account), clock());
    return account;
  };
};
