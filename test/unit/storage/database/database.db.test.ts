import { describe, expect, test } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import { migrationSource } from '../../../../src/storage/migrations/index';
import { isUniqueViolation } from '../../../../src/storage/sql/dialect';
import { param } from '../../../../src/storage/sql/statement';
import { useNewDatabases } from '../../../support/new-database';
import { useTemporaryDatabase } from '../temporary-database';

const newUrl = useNewDatabases();

test.each(['', 'sqlite:', 'postgres://', 'mysql://user:secret@host/db', './file.sqlite'])(
  'openDatabase refuses the URL "%s" without repeating it',
  async (url) => {
    await expect(openDatabase(url)).rejects.toThrow(
      /^The database URL must be "sqlite:" followed by the path of a file, or "postgres:\/\/…"\.$/,
    );
  },
);

const temporary = useTemporaryDatabase();

test('migrations are recorded by name, run once where connections start together, and are not undone', async () => {
  const url = await newUrl();
  const opened = await Promise.all(Array.from({ length: 3 }, () => openDatabase(url)));
  const [{ knex }] = opened as [Database, ...Database[]];
  const names: string[] = await knex('knex_migrations').orderBy('id').pluck('name');
  expect(names).toEqual([
    '0018-disabled-users-and-replaced-keys',
    '0019-sort-keys',
    '0020-token-resources',
    '0021-jobs',
  ]);
  const undone = knex.migrate.rollback({ migrationSource }, true);
  await expect(undone).rejects.toThrow('A migration is not undone: restore a backup');
  await Promise.all(opened.map(closeDatabase));
});

test('a database of a newer version is left as it is', async () => {
  const url = await newUrl();
  const db = await openDatabase(url);
  await db.knex('knex_migrations').insert({ name: '9999-later', batch: 2 });
  await closeDatabase(db);
  await expect(openDatabase(url)).rejects.toThrow(
    /cannot be opened: it was written by a newer version of this program \(migration 9999-later; version \d+\.\d+\.\d+ ends with \d{4}-[a-z-]+\), so run that version\.$/,
  );
});

test('what comes after the end is refused, and opens no file again', async () => {
  const url = await newUrl();
  const db = await openDatabase(url);
  const find = db.prepare(db.knex('knex_migrations').select('id'));
  await closeDatabase(db);
  await expect(db.all(find, {})).rejects.toThrow(/closed|after calling end/);
  const change = db.transaction((trx) => trx.all(find, {}));
  await expect(change).rejects.toThrow(/closed|after calling end/);
});

describe('transactions', () => {
  test('tell how many rows a statement changed', async () => {
    const { db } = temporary;
    const counters = () => db.knex('id_counters');
    const insert = counters()
      .insert({ name: param('name'), next: '1' })
      .onConflict()
      .ignore();
    const add = db.prepare<{ name: string }, never>(insert);
    const change = db.prepare<Record<string, never>, never>(counters().update({ next: '2' }));
    const remove = db.prepare<{ name: string }, never>(
      counters()
        .where({ name: param('name') })
        .delete(),
    );
    const changed = await db.transaction(async (trx) => [
      ...[await trx.run(add, { name: 'a' }), await trx.run(add, { name: 'b' })],
      await trx.run(add, { name: 'a' }),
      await trx.run(change, {}),
      ...[await trx.run(remove, { name: 'a' }), await trx.run(remove, { name: 'a' })],
    ]);
    expect(changed).toEqual([1, 1, 0, 2, 1, 0]);
  });

  test('run what is sent in its turn', async () => {
    const { db } = temporary;
    const row = () => db.knex('id_counters').where({ name: 'sent' });
    const add = db.prepare<Record<string, never>, never>(
      db.knex('id_counters').insert({ name: 'sent', next: '1' }),
    );
    const change = db.prepare<Record<string, never>, never>(row().update({ next: '2' }));
    const read = db.prepare<Record<string, never>, { next: number | string }>(row().select('next'));
    const seen = await db.transaction(async (trx) => {
      await trx.send(add, {});
      const [added] = await trx.all(read, {});
      await trx.send(change, {});
      return Number(added?.next);
    });
    expect([seen, (await row().pluck('next')).map(Number)]).toEqual([1, [2]]);
  });

  test('fail alone, side by side with others, where what was sent fails', async () => {
    const { db } = temporary;
    const add = db.prepare<{ name: string }, never>(
      db.knex('id_counters').insert({ name: param('name'), next: '1' }),
    );
    const names = ['1', '2', '3', 'again', '4', '5', 'again', '6'].map((one) => `side ${one}`);
    const outcomes = await Promise.allSettled(
      names.map((name, at) =>
        db.transaction(async (trx) => {
          await trx.send(add, { name });
          return name;
        }, `lock ${at}`),
      ),
    );
    const failed = outcomes.filter((one) => one.status === 'rejected');
    expect(failed.map(({ reason }) => isUniqueViolation(reason))).toEqual([true]);
    const added = await db.knex('id_counters').whereLike('name', 'side %').pluck('name');
    expect(added.sort()).toEqual([...new Set(names)].sort());
  });

  test('that read first and write later wait for each other', async () => {
    const [one, two] = [temporary.db, await temporary.openAnother()];
    const counter = () => one.knex('id_counters').where({ name: 'n' });
    const read = one.prepare<Record<string, never>, { next: number | string }>(
      counter().forUpdate().select('next'),
    );
    const set = one.prepare<{ next: number }, never>(counter().update({ next: param('next') }));
    await one.knex('id_counters').insert({ name: 'n', next: '0' });
    const increment = (db: Database) =>
      db.transaction(async (trx) => {
        const [row] = await trx.all(read, {});
        await trx.run(set, { next: Number(row?.next) + 1 });
      });
    await Promise.all(Array.from({ length: 40 }, (_, at) => increment(at % 2 === 0 ? one : two)));
    expect((await counter().pluck('next')).map(Number)).toEqual([40]);
  });
});
