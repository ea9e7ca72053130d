/** Checks a name and a password, until too many attempts on an account or from a network have failed. */

import { comparableUserName } from '../base/text/precis';
import type { ClientInfo } from '../http/caller';
import { networkOf } from '../http/network-of';
import type { EventCountStorage } from '../storage/identity/event-counts';
import type { SignInNetworkStorage } from '../storage/identity/sign-in-networks';
import type { Account, AccountStorage } from '../storage/identity/users';
import { attemptLimiter, guessLimits } from './attempt-limit';
import type { Passwords } from './password';
import { digest } from './token';

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
export const passwordCheck = (parts: {
  readonly service: string;
  readonly accounts: AccountStorage;
  readonly passwords: Passwords;
  readonly counts: EventCountStorage;
  readonly networks: SignInNetworkStorage;
  readonly clock: () => number;
  readonly onDisabled: OnDisabled | undefined;
}): CheckPassword => {
  const { service, accounts, passwords, networks, clock, onDisabled } = parts;

  const refusal = 'Too many failed sign-ins; try again later.';
  const limited = attemptLimiter(parts, { service, kind: 'sign-in', refusal });

  return async (username, password, { address }) => {
    const network = networkOf(address);
    const account = await accounts.findComparable(username);
    // All spellings of a name share their limits.
    const name = comparableUserName(username);
    // The digest has the key of the user, so that equal networks of two users cannot be recognized.
    const digestFor = ({ key }: Account) => digest(JSON.stringify([service, key, network]));

    const checked = await limited(
      guessLimits(name, network),
      async () => {
        if (!(await passwords.matches(password, account?.passwordHash, network))) return undefined;
        if (account?.disabledAt === undefined) return account;
        onDisabled?.(account.username, address);
        return undefined;
      },
      // The limit of the account spares networks from which its user has signed in, so that an attack from everywhere does not
      // lock the user out.
      async (used) =>
        account !== undefined &&
        used.every(([, common]) => common === 'account') &&
        (await networks.isKnown(account.key, digestFor(account), clock())),
    );
    if (checked) await networks.remember(checked.key, digestFor(checked), clock());
    return checked;
  };
};
