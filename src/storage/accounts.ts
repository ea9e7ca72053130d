/** The users of a service as identity sees them: a name and a password's hash, without the rest. */

import type { Database } from './database';

/** One user's account. */
export interface Account {
  /** The row's number; stays when the name changes. */
  readonly key: number;
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
  readonly key: number;
  readonly username: string;
  readonly password_hash: string | null;
}

const toAccount = (row: AccountRow): Account => ({
  key: row.key,
  username: row.username,
  passwordHash: row.password_hash ?? undefined,
});

const columns = ['key', 'username', 'password_hash'];

/** Reads accounts from the table `users`. */
export const knexAccounts = (db: Database, service: string): AccountStorage => ({
  async find(username) {
    const row: AccountRow | undefined = await db('users')
      .where({ service, username })
      .first(columns);
    return row && toAccount(row);
  },

  async list() {
    const rows: AccountRow[] = await db('users')
      .where({ service })
      .whereNotNull('username')
      .orderBy('username')
      .select(columns);
    return rows.map(toAccount);
  },
});
