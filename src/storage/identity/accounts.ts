/** The accounts of a service's users: the names and password hashes by which they sign in. */

import { comparableUserName } from '../../base/text/precis';
import type { Database } from '../database/database';
import { searchKey } from '../sql/search-key';
import { param } from '../sql/statement';
import { credentialsEnder } from './tokens';

/** The account of a user. */
export interface Account {
  /** The key of the row, which stays when the name changes. */
  readonly key: string;
  readonly username: string;
  /** Undefined for a user without a password, who cannot sign in. */
  readonly passwordHash: string | undefined;
  /** Undefined for a user who may sign in; milliseconds since 1970. */
  readonly disabledAt: number | undefined;
}

interface AccountRow {
  readonly key: number;
  readonly username: string;
  readonly password_hash: string | null;
  readonly disabled_at: number | null;
}

const toAccount = ({ key, username, password_hash, disabled_at }: AccountRow): Account => ({
  key: String(key),
  username,
  passwordHash: password_hash ?? undefined,
  disabledAt: disabled_at ?? undefined,
});

/** The accounts of one service. */
export const knexAccounts = (db: Database, service: string) => {
  const { knex, prepare, all, transaction } = db;
  const accounts = () =>
    knex('users').where({ service }).select('key', 'username', 'password_hash', 'disabled_at');
  const named = () => accounts().where({ username_key: param('name') });
  const find = prepare<{ name: string }, AccountRow>(named(), ['users']);
  const findComparable = prepare<{ name: string }, AccountRow>(
    accounts().where({ comparable_key: param('name') }),
    ['users'],
  );
  const list = prepare<Record<string, never>, AccountRow>(
    accounts().whereNotNull('username_key').orderBy('username_key'),
  );
  const setDisabled = prepare<{ name: string; at: number | null }, { key: number }>(
    named()
      .update({ disabled_at: param('at') })
      .returning('key'),
    ['users'],
  );
  const endCredentials = credentialsEnder(db);
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

    /** Notes since when a user is disabled, or null, and ends the user's tokens and codes; false where there is no such user. */
    setDisabled: (username: string, at: number | null): Promise<boolean> =>
      transaction(async (trx) => {
        const [row] = await trx.all(setDisabled, { name: searchKey(username), at });
        if (row !== undefined) await endCredentials(trx, String(row.key), undefined);
        return row !== undefined;
      }),
  };
};

export type AccountStorage = ReturnType<typeof knexAccounts>;
