/** Checks a name and a password, until too many attempts by account or address have failed. */

import ipaddr from 'ipaddr.js';
import type { ClientInfo } from '../../engine';
import type { Account, AccountStorage } from '../storage/identity/accounts';
import type { EventCount, EventCountStorage } from '../storage/identity/event-counts';
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
// one account from many addresses, and at many accounts from one address, which may be a whole company's.
const narrow = 30;
const wide = 300;

/**
 * Whose address it is, as far as it can be told: an IPv6 host chooses the last 64 bits itself (RFC 4291 section 2.5.4), and an
 * IPv4 address may be written as one of IPv6. What is no address stays as it is.
 */
const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
    : parsed.toString();
};

/** Makes the check of one service: a limit that is used up within 15 minutes refuses until they are over. */
export const passwordCheck = (parts: {
  readonly service: string;
  readonly accounts: AccountStorage;
  readonly passwords: Passwords;
  readonly counts: EventCountStorage;
  readonly clock: () => number;
}): CheckPassword => {
  const { service, accounts, passwords, counts, clock } = parts;

  // Digests, because a name that was given may be long, or be a password typed into the wrong field.
  const counterName = (...facts: string[]) =>
    `sign-in ${digest(JSON.stringify([service, ...facts]))}`;

  const refuseWhere = (found: readonly EventCount[], isUsedUp: (one: EventCount) => boolean) => {
    const used = found.filter(isUsedUp);
    if (used.length === 0) return;
    const endsAt = Math.max(...used.map(({ expiresAt }) => expiresAt));
    throw tooManyRequests('Too many failed sign-ins; try again later.', clock(), endsAt);
  };

  return async (username, password, { address }) => {
    const network = networkOf(address);
    const limits = new Map([
      [counterName('account and address', username, network), narrow],
      [counterName('account', username), wide],
      [counterName('address', network), wide],
    ]);
    const names = [...limits.keys()];
    const limitOf = ({ name }: EventCount): number => limits.get(name) ?? 0;
    const checkLimits = async (): Promise<void> =>
      refuseWhere(await counts.read(names, clock()), (one) => one.count >= limitOf(one));

    await checkLimits();
    const account = await accounts.find(username);
    if (!(await passwords.matches(password, account?.passwordHash))) {
      await counts.deleteExpired(clock());
      const found = await counts.add(names, clock(), windowMilliseconds);
      refuseWhere(found, (one) => one.count > limitOf(one));
      return undefined;
    }
    // Guesses sent side by side all pass the first check; whichever ends after the limit learns nothing.
    await checkLimits();
    return account;
  };
};
