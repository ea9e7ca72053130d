/** The effects of statements are those that PostgreSQL shows: the locks that it holds afterwards, and whether the table is a new file. */

import { beforeAll, expect, test } from '@jest/globals';
import { effectsOf } from '../../../../src/storage/migrations/plan';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();

const existing = ['tokens', 'users'];

beforeAll(async () => {
  const { knex } = temporary.db;
  await knex('users').insert({ service: 's', id: 1, document: '{}' });
  await knex.raw('create index users_further on users (format)');
});

/** The locks of the two tables in a transaction, but for those of reading and of locking rows. */
const heldLocks = `select relation::regclass::text as table, mode from pg_locks
  where pid = pg_backend_pid() and relation in ('users'::regclass, 'tokens'::regclass)
    and mode not in ('AccessShareLock', 'RowShareLock')
  order by 1`;

/** Names a mode as the documentation of PostgreSQL does: ShareRowExclusiveLock is SHARE ROW EXCLUSIVE. */
const named = (mode: string): string =>
  mode
    .replace(/Lock$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();

test.each([
  'alter table users add column a bigint',
  `alter table users add column a text not null default 'x', add column b integer`,
  'alter table users add column a float default random()',
  'alter table users drop column format',
  'alter table users alter column id type text',
  'drop index users_further',
  'create index users_format_index on users (format)',
  'create unique index users_format_unique on users (format)',
  'alter table users add constraint f foreign key (key) references tokens (key) not valid',
  `update users set format = 'x'`,
  'delete from tokens where user_key in (select key from users)',
  'create table other (user_key integer references users (key))',
])('%s', async (sql) => {
  const trx = await temporary.db.knex.transaction();
  const fileOf = async (): Promise<number> =>
    (await trx.raw(`select pg_relation_filenode('users') as node`)).rows[0].node;
  try {
    const before = await fileOf();
    await trx.raw(sql);
    const held: { table: string; mode: string }[] = (await trx.raw(heldLocks)).rows;
    const { locks, work } = effectsOf(sql, true, existing);
    const modes = held.map(({ table, mode }) => ({ table, mode: named(mode) }));
    // A strong lock may come with weaker ones of the same table.
    expect(modes).toEqual(expect.arrayContaining([...locks]));
    expect(new Set(held.map(({ table }) => table))).toEqual(
      new Set(locks.map(({ table }) => table)),
    );
    expect((await fileOf()) !== before).toBe(work === 'rewrite');
  } finally {
    await trx.rollback();
  }
});
