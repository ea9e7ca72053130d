/** The effects of statements that migrations may have, in the SQL of both databases. */

import { expect, test } from '@jest/globals';
import { effectsOf } from '../../../../src/storage/migrations/plan';

const existing = ['items', 'users', 'api_keys'];

type Row = readonly [sql: string, mode: string, work: string, isExpansion: boolean];

const users: readonly Row[] = [
  ['alter table "users" add column "disabled_at" bigint', 'ACCESS EXCLUSIVE', 'none', true],
  ['alter table `users` add column `disabled_at` bigint null', 'ACCESS EXCLUSIVE', 'none', true],
  ['alter table users add column "a" text, add column "b" text', 'ACCESS EXCLUSIVE', 'none', true],
  [`alter table "users" add column "a" text not null default ''`, 'ACCESS EXCLUSIVE', 'none', true],
  [`alter table "users" add column "a" integer default '0'`, 'ACCESS EXCLUSIVE', 'none', true],
  ['alter table "users" add column "a" text not null', 'ACCESS EXCLUSIVE', 'rewrite', false],
  [
    'alter table "users" add column "a" text default random()',
    'ACCESS EXCLUSIVE',
    'rewrite',
    false,
  ],
  ['alter table "users" add column "a" text unique', 'ACCESS EXCLUSIVE', 'rewrite', false],
  [
    'alter table "users" add column "a" text, drop column "b"',
    'ACCESS EXCLUSIVE',
    'rewrite',
    false,
  ],
  ['alter table "users" drop column "document"', 'ACCESS EXCLUSIVE', 'none', false],
  ['alter table "users" rename to "accounts"', 'ACCESS EXCLUSIVE', 'rewrite', false],
  ['alter table "users" alter column "id" type text', 'ACCESS EXCLUSIVE', 'rewrite', false],
  ['drop table "users"', 'ACCESS EXCLUSIVE', 'none', false],
  ['drop index "users_service_id_unique"', 'ACCESS EXCLUSIVE', 'none', false],
  ['create index "users_a_index" on "users" ("a")', 'SHARE', 'scan', true],
  ['create unique index "users_a_unique" on "users" ("a")', 'SHARE', 'scan', false],
  [
    'alter table "users" add constraint "x" foreign key ("a") references "users" ("key")',
    ...(['SHARE ROW EXCLUSIVE', 'scan', false] as const),
  ],
  [`update "users" set "document" = ''`, 'ROW EXCLUSIVE', 'scan', false],
  ['vacuum full users', 'ACCESS EXCLUSIVE', 'rewrite', false],
];

test.each(users)('%s', (sql, mode, work, isExpansion) => {
  const effects = { tables: ['users'], work, isExpansion };
  const locks = [{ table: 'users', mode }];
  expect(effectsOf(sql, true, existing)).toEqual({ ...effects, locks });
  // There dropping a column rewrites the table, and the lock is the whole file's.
  const inFile = sql.includes('drop column "document"') ? { ...effects, work: 'rewrite' } : effects;
  expect(effectsOf(sql, false, existing)).toEqual({
    ...inFile,
    locks: [{ table: '*', mode: 'WRITER' }],
  });
});

test('an index of a table that grows with what is stored is no expansion', () => {
  const { isExpansion } = effectsOf('create index "x" on "items" ("owner")', true, existing);
  expect(isExpansion).toBe(false);
});

test('a statement that reads another table locks the one that it changes', () => {
  const sql = 'insert into api_keys (label) select username from users';
  expect(effectsOf(sql, true, existing)).toEqual({
    tables: ['users', 'api_keys'],
    locks: [{ table: 'api_keys', mode: 'ROW EXCLUSIVE' }],
    work: 'scan',
    isExpansion: false,
  });
});

test.each<[string, string[]]>([
  ['create table "codes" ("hash" text, "users" text)', []],
  ['create unique index "codes_hash" on "codes" ("hash")', []],
  [
    'alter table "codes" add constraint "f" foreign key ("u") references "users" ("key")',
    ['users'],
  ],
])('a new table has no rows, and locks what it refers to alone: %s', (sql, locked) => {
  expect(effectsOf(sql, true, existing)).toEqual({
    tables: locked,
    locks: locked.map((table) => ({ table, mode: 'SHARE ROW EXCLUSIVE' })),
    work: 'none',
    isExpansion: true,
  });
});
