import { beforeAll, describe, expect, test } from '@jest/globals';
import { columnsOf, pageQuery } from '../../../../src/storage/copy/copy';
import type { Database } from '../../../../src/storage/database/database';
import { tables } from '../../../../src/storage/migrations/index';
import { describeCopying, describeKind } from './copy-cases';
import { hardRows, useDatabases } from './copy-databases';

const databases = useDatabases();

let db: Database;

beforeAll(async () => {
  db = await databases().open(await databases().create('sqlite'));
});

describe('the list of tables', () => {
  const bookkeeping = ['knex_migrations', 'knex_migrations_lock', 'sqlite_sequence'];

  test('names every table that the migrations make', async () => {
    const { knex } = db;
    const made = await knex('sqlite_master').where({ type: 'table' }).pluck('name');
    expect(tables.map(({ name }) => name).sort()).toEqual(
      made.filter((name: string) => !bookkeeping.includes(name)).sort(),
    );
  });

  test.each(tables)('knows the primary key of $name', async ({ name, key }) => {
    const { knex } = db;
    const columns: { name: string; pk: number }[] = await knex.raw(`pragma table_info(${name})`);
    const primary = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    expect(key).toEqual(primary.map((column) => column.name));
  });

  test.each(tables)('lets a page of $name begin by all of its key', async (table) => {
    const columns = await columnsOf(db.knex, table.name);
    const last = Object.fromEntries(columns.map(({ name }) => [name, '1']));
    const { sql, bindings } = pageQuery(db.knex, table, columns, last).toSQL().toNative();
    const steps: { detail: string }[] = await db.knex.raw(`explain query plan ${sql}`, [
      ...bindings,
    ]);
    const plan = steps.map(({ detail }) => detail).join('\n');
    const key = table.key[0] === 'key' ? ['rowid'] : table.key;
    const range = key.length === 1 ? `(${key}>?)` : `((${key})>(${key.map(() => '?')}))`;
    expect(plan).toContain(range);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('names what a row refers to before the row', async () => {
    const { knex } = db;
    const seen = new Set<string>();
    for (const { name } of tables) {
      const references: { table: string }[] = await knex.raw(`pragma foreign_key_list(${name})`);
      expect([name, references.filter(({ table }) => !seen.has(table))]).toEqual([name, []]);
      seen.add(name);
    }
  });

  test('has hard rows for every table, with every column', async () => {
    const { knex } = db;
    for (const { name } of tables) {
      const columns = Object.keys(await knex(name).columnInfo()).sort();
      const given = (hardRows[name] ?? []).map((row) => Object.keys(row).sort());
      expect([name, given]).toEqual([name, given.map(() => columns)]);
      expect([name, given.length]).not.toEqual([name, 0]);
    }
  });
});

describeCopying('sqlite', 'sqlite');
describeKind('sqlite');
