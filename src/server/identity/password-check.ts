/** Checks a name and a password, until too many attempts have failed. */

import type { ClientInfo } from '../../engine';
import type { Account, AccountStorage } from '../storage/identity/accounts';
import type { Passwords } from './password';
import type { SignInThrottle } from './sign-in-throttle';

/** What the check works with. */
export interface PasswordCheckParts {
  readonly accounts: AccountStorage;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
}

/**
 * The account whose name and password they are; undefined where they do not fit, after the same time whether or not the name
 * exists. Throws HttpError 429 after too many failures, 503 under too much load.
 */
export type CheckPassword = (
  username: string,
  password: string,
  client: Pick<ClientInfo, 'address'>,
) => Promise<Account | undefined>;

/** Makes the check of one service. */
export const passwordCheck =
  ({ accounts, passwords, throttle }: PasswordCheckParts): CheckPassword =>
  async (username, password, { address }) => {
    const attempt = { username, address };
    await throttle.check(attempt);
    const account = await accounts.find(username);
    if (!(await passwords.matches(password, account?.passwordHash))) {
      await throttle.countFailure(attempt);
      return undefined;
    }
    // Guesses sent side by side all pass the first check; whichever is answered after the limit learns nothing.
    await throttle.check(attempt);
    return account;
  };
