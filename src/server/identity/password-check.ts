/** Checks a name and a password, until too many attempts by account or address have failed. An attack on an account spares those who were there before. */

import { comparableUserName } from '../../base/precis';
import type { ClientInfo } from '../../engine';
import type { Account, AccountStorage } from '../../storage/identity/accounts';
import type { EventCount, EventCountStorage } from '../../storage/identity/event-counts';
import type { SignInNetworkStorage } from '../../storage/identity/sign-in-networks';
import { networkOf } from '../http/network-of';
import type { Passwords } from './password';
import { tooManyRequests } from './rate-limit';
import { digest } from './token';

/**
 * The account whose name and password they are; undefined where they do not fit, after the same time whether or not the name
 * exists. Throws HttpError 429 after too many failures, 503 under too much load.
 */
export type CheckPassword = (
  username: string,
  password: string,
  client: Pick<ClientInfo, 'address'>,
) => Promise<Account | undefined>;

const windowMilliseconds = 15 * 60 * 1000;

// An account at one address has the narrow limit, so that a stranger cannot lock its user out. The wide ones stop guesses at
// one account from many addresses, and at many accounts from one address, which may be a whole company's. That of the account
// alone is not for networks from which its user has signed in: else strangers could keep the user out.
const narrow = 30;
const wide = 300;

/** Makes the check of one service: a limit that is used up within 15 minutes refuses until they are over. */
export const passwordCheck = (parts: {
  readonly service: string;
  readonly accounts: AccountStorage;
  readonly passwords: Passwords;
  readonly counts: EventCountStorage;
  readonly networks: SignInNetworkStorage;
  readonly clock: () => number;
}): CheckPassword => {
  const { service, accounts, passwords, counts, networks, clock } = parts;

  // Digests, because a name that was given may be long, or be a password typed into the wrong field.
  const counterName = (...facts: string[]) =>
    `sign-in ${digest(JSON.stringify([service, ...facts]))}`;

  const refuse = (used: readonly EventCount[]) => {
    const endsAt = Math.max(...used.map(({ expiresAt }) => expiresAt));
    return tooManyRequests('Too many failed sign-ins; try again later.', clock(), endsAt);
  };

  return async (username, password, { address }) => {
    const network = networkOf(address);
    const account = await accounts.findComparable(username);
    // However the name is written: another case is no further attempt.
    const name = comparableUserName(username);
    const ofAccount = counterName('account', name);
    const limits = new Map([
      [counterName('account and address', name, network), narrow],
      [ofAccount, wide],
      [counterName('address', network), wide],
    ]);
    const names = [...limits.keys()];
    // One user's networks are told by nothing to be another's.
    const digestFor = ({ key }: Account) => digest(JSON.stringify([service, key, network]));

    /** Refuses where a limit is used up; `allowance` is how often beyond what is counted. */
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
    // Guesses sent side by side all pass the first check; whichever ends after the limit learns nothing.
    await checkLimits();
    if (account) await networks.remember(account.key, digestFor(account), clock());
    return account;
  };
};
