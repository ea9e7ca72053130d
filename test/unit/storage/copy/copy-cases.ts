/** The rules of copying from one kind of database to another. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CopiedTable, type CopyStep, copyDatabase } from '../../../../src/storage/copy/copy';
import type { Database } from '../../../../src/storage/database/database';
import { tables } from '../../../../src/storage/migrations/index';
import { fill, hardRows, type Kind, readBack, sorted, useDatabases } from './copy-databases';

const copyQuietly = (source: Database, target: Database) => copyDatabase(source, target, () => {});

const faultsOf = (copied: readonly CopiedTable[]) => copied.flatMap(({ problem }) => problem ?? []);

/** The items of a collection as the source of a long copy. */
const manyItems = (collection: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    key: String(Number(collection) * 10_000 + at),
    collection,
    id: String(at - 5),
    document: 'x',
    format: '',
  }));

const countOf = async ({ knex }: Database, table: string): Promise<number> =>
  Number((await knex(table).count({ count: '*' }))[0]?.['count']);

/** Runs the action once, when a step of the copy is told. */
const once = (isIt: (step: CopyStep) => boolean, action: () => Promise<unknown>) => {
  let isDone = false;
  return async (step: CopyStep): Promise<void> => {
    if (isDone || !isIt(step)) return;
    isDone = true;
    await action();
  };
};

/** From one kind to another. */
export const describeCopying = (from: Kind, to: Kind): void =>
  describe(`from ${from} to ${to}`, () => {
    const databases = useDatabases();
    const create = async (kind: Kind) => databases().open(await databases().create(kind));
    let source: Database;
    beforeAll(async () => {
      source = await create(from);
      await fill(source, hardRows);
    });

    test('copies every value exactly, and goes on counting behind the largest key', async () => {
      const target = await create(to);
      const copied = await copyQuietly(source, target);
      expect(faultsOf(copied)).toEqual([]);
      expect(copied.map(({ table, source: { rows } }) => [table, rows])).toEqual(
        tables.map(({ name }) => [name, hardRows[name]?.length]),
      );
      const wanted = Object.fromEntries(
        Object.entries(hardRows).map(([name, rows]) => [name, sorted(rows)]),
      );
      expect(await readBack(target, hardRows)).toEqual(wanted);
      const user = { service: 's', id: '1', document: '{}', format: '' };
      const item = { collection: '2', id: '77', document: '{}', format: '' };
      await target.knex('users').insert(user);
      await target.knex('items').insert(item);
      const largest = target.knex.raw('cast(max(key) as text) as largest');
      expect(await target.knex('users').first(largest)).toEqual({ largest: '2147483001' });
      expect(await target.knex('items').first(largest)).toEqual({ largest: '9007199254740994' });
    });

    test('copies more rows than a page holds', async () => {
      const [ownSource, target] = [await create(from), await create(to)];
      await fill(ownSource, { items: manyItems('2', 300) });
      const steps: [string, number][] = [];
      const copied = await copyDatabase(ownSource, target, ({ doing, table, done, isComplete }) => {
        if (doing === 'copied' && !isComplete) steps.push([table, done]);
      });
      expect(faultsOf(copied)).toEqual([]);
      expect(steps).toEqual([...[128, 256, 300].map((done): [string, number] => ['items', done])]);
    });
  });

/** The rules that concern one kind alone. */
export const describeKind = (kind: Kind): void =>
  describe(`of ${kind}`, () => {
    const databases = useDatabases();
    const create = async () => databases().open(await databases().create(kind));
    let url: string;
    let source: Database;
    beforeAll(async () => {
      url = await databases().create(kind);
      source = await databases().open(url);
      await fill(source, hardRows);
    });

    test('refuses a target that is not empty, and changes nothing', async () => {
      const target = await create();
      await target.knex('items').insert({ collection: '1', id: '6', document: '', format: '' });
      await expect(copyQuietly(source, target)).rejects.toThrow(
        'The target is not empty, it has rows in the table "items": start again with an empty target.',
      );
      expect(await countOf(target, 'collections')).toBe(0);
    });

    test('says that the source changed meanwhile', async () => {
      const [ownSource, target] = [await create(), await create()];
      await fill(ownSource, hardRows);
      const changing = once(
        ({ doing, table }) => doing === 'copied' && table === 'users',
        async () => ownSource.knex('items').where({ id: '-1' }).update({ document: 'new' }),
      );
      const copied = await copyDatabase(ownSource, target, changing);
      expect(faultsOf(copied)).toEqual([
        'The source changed while it was copied (table "items"): stop its servers and start again with an empty target.',
      ]);
    });

    test('says which table came out differently', async () => {
      const target = await create();
      const changing = once(
        ({ doing }) => doing === 'compared',
        async () => target.knex('event_counts').update({ count: 4 }),
      );
      const copied = await copyDatabase(source, target, changing);
      expect(faultsOf(copied)).toEqual([
        'The table "event_counts" differs between the source and the target: start again with an empty target.',
      ]);
    });

    test('says to stop the servers where a row came without the one that it refers to', async () => {
      const [source, target] = [await create(), await create()];
      await fill(source, hardRows);
      const late = once(
        ({ doing, table }) => doing === 'copied' && table === 'users',
        () =>
          fill(source, {
            users: [{ key: '8', service: 's', id: '5', document: '', format: '' }],
            tokens: [
              {
                ...{ key: '13', hash: 'late', kind: 'login', user_key: '8', scopes: '' },
                ...{ created_at: '1', expires_at: '2' },
              },
            ],
          }),
      );
      await expect(copyDatabase(source, target, late)).rejects.toThrow(
        /^The table "tokens" cannot be copied \(.*\): stop the source's servers and start again with an empty target\.$/,
      );
    });

    test('an empty one is copied', async () => {
      const copied = await copyQuietly(await create(), await create());
      const nothing = { rows: 0, checksum: '0'.repeat(64) };
      expect(copied).toEqual(
        tables.map(({ name }) => ({
          table: name,
          source: nothing,
          target: nothing,
          problem: undefined,
        })),
      );
    });

    test('refuses to copy a database into itself', async () => {
      await expect(copyQuietly(source, await databases().open(url))).rejects.toThrow(
        'The target is not empty, it has rows in the table "collections": start again with an empty target.',
      );
    });
  });
