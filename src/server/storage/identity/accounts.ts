/** The users of a service as identity sees them: a name and a password's hash, without the rest. */

import type { Database } from '../database/database';
import { searchKey } from '../sql/search-key';
import { param } from '../sql/statement';

/** One user's account. */
export interface Account {
  /** The row's number; stays when the name changes. */
  readonly key: string;
  readonly username: string;
  /** Undefined where the user was created without a password and cannot sign in. */
  readonly passwordHash: string | undefined;
}

/** The accounts of one service. */
export interface AccountStorage {
  find(username: string): Promise<Account | undefined>;
  /** All accounts that have a name, by name. */
  list(): Promise<Account[]>;
}

interface AccountRow {
  readonly key: number | string;
  readonly username: string;
  readonly password_hash: string | null;
}

const toAccount = ({ key, username, password_hash }: AccountRow): Account => ({
  key: String(key),
  username,
  passwordHash: password_hash ?? undefined,
});

const columns = ['key', 'username', 'password_hash'];

/** Reads accounts from the table `users`. */
export const knexAccounts = ({ knex, prepare, all }: Database, service: string): AccountStorage => {
  const find = prepare<{ name: string }, AccountRow>(
    knex('users')
      .where({ service, username_key: param('name') })
      .select(columns),
  );
  const list = prepare<Record<string, never>, AccountRow>(
    knex('users')
      .where({ service })
      .whereNotNull('username_key')
      .orderBy('username_key')
      .select(columns),
  );
  return {
    async find(username) {
      const [row] = await all(find, { name: searchKey(username) });
      return row && toAccount(row);
    },

    async list() {
      return (await all(list, {})).map(toAccount);
    },
  };
};
