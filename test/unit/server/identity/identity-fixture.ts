/** An identity over a real database file, with one user and a clock that stands still until told. */

import { createIdentity } from '../../../../src/server/identity/identity';
import { scryptPasswords } from '../../../../src/server/identity/password';
import { knexAccounts } from '../../../../src/server/storage/identity/users';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/temporary-database';

export const start = Date.UTC(2030, 0, 1, 12);
export const password = 'correct horse';
export const client = { address: '192.0.2.1', secure: false };

const passwords = scryptPasswords(4);

/** Without a file it makes one of its own. */
export const openIdentity = async (given?: TemporaryDatabase) => {
  const file = given ?? (await openTemporaryDatabase());
  let now = start;
  const options = {
    passwords,
    tokenTtlSeconds: 3600,
    rateLimitPerHour: 5,
    clock: () => now,
  };
  const serviceOf = (name: string, db = file.db) =>
    createIdentity({ name, basePath: `/${name}` }, { ...options, db });
  const addUser = async (username: string, given: string | undefined) => {
    const passwordHash = given === undefined ? null : await passwords.hash(given);
    const [row] = await file.db.knex('users').max({ id: 'id' });
    await file.db.knex('users').insert({
      service: 'petstore',
      id: (row?.id ?? 0) + 1,
      username,
      username_key: username,
      password_hash: passwordHash,
      document: '{}',
    });
    const account = await knexAccounts(file.db, 'petstore').find(username);
    return account?.key ?? '';
  };
  await addUser('ann', password);
  return {
    ...serviceOf('petstore'),
    file,
    serviceOf,
    addUser,
    passTime(milliseconds: number) {
      now += milliseconds;
    },
  };
};

export type OpenIdentity = Awaited<ReturnType<typeof openIdentity>>;
