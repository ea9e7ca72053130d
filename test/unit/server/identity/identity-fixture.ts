/** An identity over a real database, with one user and a clock that stands still until told. */

import { createIdentity } from '../../../../src/server/identity/create-identity';
import { scryptPasswords } from '../../../../src/server/identity/password';
import { knexAccounts } from '../../../../src/server/storage/identity/accounts';
import type { TemporaryDatabase } from '../storage/temporary-database';

export const start = Date.UTC(2030, 0, 1, 12);
export const password = 'correct horse';
export const client = { address: '192.0.2.1', secure: false };

const passwords = scryptPasswords(4);

/** Adds the user "ann". */
export const openIdentity = async (file: TemporaryDatabase) => {
  let now = start;
  const options = { passwords, tokenTtlSeconds: 3600, rateLimitPerHour: 5, clock: () => now };
  const serviceOf = (name: string, db = file.db) =>
    createIdentity({ name, basePath: `/${name}` }, { ...options, db });
  const addUser = async (username: string) => {
    const users = () => file.db.knex('users');
    const [row] = await users().max({ id: 'id' });
    await users().insert({
      ...{ service: 'petstore', id: (row?.id ?? 0) + 1, document: '{}' },
      ...{ username, username_key: username, password_hash: await passwords.hash(password) },
    });
    const account = await knexAccounts(file.db, 'petstore').find(username);
    return account?.key ?? '';
  };
  await addUser('ann');
  return {
    ...serviceOf('petstore'),
    serviceOf,
    addUser,
    passTime(milliseconds: number) {
      now += milliseconds;
    },
  };
};

export type OpenIdentity = Awaited<ReturnType<typeof openIdentity>>;
