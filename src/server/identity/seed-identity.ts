/** Fills an empty database with the users and the key that make trying the services out possible. */

import { type Database, within } from '../storage/database/database';
import type { Runner } from '../storage/database/transaction';
import { knexApiKeys } from '../storage/identity/api-keys';
import type { IdentifiedUser } from '../storage/identity/users';
import type { ServiceStorage } from '../storage/storage';
import type { Passwords } from './password';
import { digest } from './token';

/** What works in every service of a database with the demo data. */
export const demoCredentials = {
  username: 'demo',
  password: 'demo-password',
  apiKey: 'special-key',
} as const;

/** What is to be filled. */
export interface IdentitySeed {
  readonly db: Database;
  readonly services: readonly {
    readonly name: string;
    readonly storage: ServiceStorage;
    /** `users` are the demo users, if any. */
    readonly demo: Readonly<Record<string, readonly IdentifiedUser[]>>;
  }[];
  readonly passwords: Passwords;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Rows of keys stay when a key is revoked, so a database that once had the demo data never counts as empty again. */
const isEmpty = async ({ knex, prepare }: Database, runner: Runner): Promise<boolean> => {
  for (const table of ['users', 'api_keys']) {
    const [row] = await runner.all(prepare(knex(table).limit(1).select('key')), {});
    if (row !== undefined) return false;
  }
  return true;
};

/** Another process was faster. */
class SeededMeanwhile extends Error {}

/** Only the demo account has a password. */
const demoAccounts = (users: readonly IdentifiedUser[], passwordHash: string | undefined) =>
  users.map((user) => ({
    user,
    passwordHash: user.username === demoCredentials.username ? passwordHash : undefined,
  }));

const addAll = async (
  { services, clock }: IdentitySeed,
  passwordHash: string | undefined,
  seeded: Database,
): Promise<void> => {
  for (const { name, storage, demo } of services) {
    const accounts = demoAccounts(demo['users'] ?? [], passwordHash);
    // Nothing more can be done in this transaction where a name is taken: PostgreSQL has given it up.
    if ((await storage.within(seeded).users?.add(accounts)) === 'taken')
      throw new SeededMeanwhile();
    await knexApiKeys(seeded, name).add({
      label: 'demo',
      hash: digest(demoCredentials.apiKey),
      createdAt: clock(),
    });
  }
};

/**
 * Adds the demo users and the demo key to each of the services, all at once, if there are no users and no keys at all.
 * Resolves to whether it did; of several processes that start together one does.
 */
export const seedIdentity = async (seed: IdentitySeed): Promise<boolean> => {
  const { db, services, passwords } = seed;
  if (!(await isEmpty(db, db))) return false;
  // To hash takes long, and keeps others from it: once is enough for a password that everybody knows.
  const hasUsers = services.some(({ demo }) => (demo['users'] ?? []).length > 0);
  const hash = hasUsers ? await passwords.hash(demoCredentials.password) : undefined;
  try {
    return await db.transaction(async (trx) => {
      if (!(await isEmpty(db, trx))) return false;
      await addAll(seed, hash, within(db, trx));
      return true;
    });
  } catch (error) {
    if (error instanceof SeededMeanwhile) return false;
    throw error;
  }
};
