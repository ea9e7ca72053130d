/** The accounts of a service's users: the names and password hashes by which they sign in. */

import { comparableUserName } from '../../base/text/precis';
import type { Database } from '../database/database';
import { searchKey } from '../sql/search-key';
import { param } from '../sql/statement';

/** The account of a user. */
export interface Account {
  /** The key of the row, which stays when the name changes. */
  readonly key: string;
  readonly username: string;
  /** Undefined for a user without a password, who cannot sign in. */
  readonly passwordHash: string | undefined;
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

/** The accounts of one service. */
export const knexAccounts = ({ knex, prepare, all }: Database, service: string) => {
  const accounts = () =>
    knex('users').where({ service }).select('key', 'username', 'password_hash');
  const find = prepare<{ name: string }, AccountRow>(
    accounts().where({ username_key: param('name') }),
    ['users'],
  );
  const findComparable = prepare<{ name: string }, AccountRow>(
    accounts().where({ comparable_key: param('name') }),
    ['users'],
  );
  const list = prepare<Record<string, never>, AccountRow>(
    accounts().whereNotNull('username_key').orderBy('username_key'),
  );
  return {
    /** Finds the account of exactly that name. */
    find: async (username: string): Promise<Account | undefined> =>
      (await all(find, { name: searchKey(username) })).map(toAccount)[0],
    /** Finds the account of that name, else the one whose name is equal by PRECIS (RFC 8265). */
    async findComparable(username: string): Promise<Account | undefined> {
      const [row] = await all(find, { name: searchKey(username) });
      const name = searchKey(comparableUserName(username));
      const found = row === undefined ? await all(findComparable, { name }) : [row];
      return found.map(toAccount)[0];
    },
    /** Lists all accounts that have a name, by name. */
    list: async (): Promise<Account[]> => (await all(list, {})).map(toAccount),
  };
};

export type AccountStorage = ReturnType<typeof knexAccounts>;
