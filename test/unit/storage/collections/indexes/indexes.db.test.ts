/** Indexes that are declared anew are filled, and those that are declared no longer are emptied, while items change. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { runMaintenance } from '../../../../../src/storage/collections/indexes/maintain-indexes';
import { DatabaseUnavailable } from '../../../../../src/storage/connections/database-errors';
import type { Database } from '../../../../../src/storage/database/database';
import type { ServiceStorage } from '../../../../../src/storage/storage';
import { collectionOf, openStorage } from '../../../../support/open-storage';
import { readPages } from '../../../../support/read-serialized';
import { useTemporaryDatabase } from '../../temporary-database';

interface Thing {
  readonly id: bigint;
  readonly kind?: string;
  readonly tags?: readonly string[];
}

const LAST = 9223372036854775807n;
const FIRST = -9223372036854775808n;

/** Items that one piece of work takes. */
const pieceSize = 200;

const plain = { things: { schema: 'Thing' } };
const indexed = { things: { schema: 'Thing', lookups: ['tags'], counts: ['kind'] } };

const temporary = useTemporaryDatabase();
let services = 0;
let service = '';

beforeEach(() => {
  services += 1;
  service = `service ${services}`;
});

const thingsIn = (storage: ServiceStorage) => collectionOf<Thing>(storage, 'things');

const thing = (id: bigint): Thing => ({
  id,
  ...(id % 7n === 0n ? {} : { kind: `kind ${id % 3n}` }),
  tags: [`tag ${id % 5n}`, `tag ${id % 2n}`, 'all'],
});

/** Every tenth id, on both sides of zero: there is room between them. */
const spreadIds = (count: number): bigint[] =>
  Array.from({ length: count }, (_, at) => BigInt(at - 100) * 10n);

const open = (declared: typeof plain | typeof indexed, db: Database = temporary.db) =>
  openStorage(db, service, declared);

/** Opens the service, which declares no index, and inserts items under the ids. */
const insertPlain = async (ids: readonly bigint[]): Promise<void> => {
  const storage = await open(plain);
  await storage.transaction(async (collections) => {
    for (const id of ids) await collections['things']?.insert(thing(id));
  });
};

const finish = ({ maintenance }: ServiceStorage): Promise<void> =>
  runMaintenance(maintenance, new AbortController().signal);

/** Compares what is found and counted by the indexes with all items. */
const expectExact = async (storage: ServiceStorage): Promise<void> => {
  const things = thingsIn(storage);
  const all = await readPages(things.list());
  const tags = [...new Set(all.flatMap((one) => one.tags ?? []))];
  for (const tag of [...tags, 'a tag of none', 'former']) {
    const wanted = all.filter((one) => one.tags?.includes(tag));
    expect([tag, await readPages(things.find('tags', [tag]))]).toEqual([tag, wanted]);
  }
  const tally: Record<string, number> = {};
  for (const { kind } of all) if (kind !== undefined) tally[kind] = (tally[kind] ?? 0) + 1;
  expect(await things.count('kind')).toEqual(tally);
};

const expectUnavailable = async (storage: ServiceStorage): Promise<void> => {
  const things = thingsIn(storage);
  await expect(readPages(things.find('tags', ['all']))).rejects.toThrow(DatabaseUnavailable);
  await expect(readPages(things.find('tags', ['all', 'x']))).rejects.toThrow(DatabaseUnavailable);
  await expect(things.count('kind')).rejects.toMatchObject({
    message: 'The search is being prepared; try again in a moment',
    retryAfterSeconds: 2,
  });
};

/** Inserts, updates and deletes items at these places. */
const changeAt = async (storage: ServiceStorage, ...ids: bigint[]): Promise<void> => {
  const things = thingsIn(storage);
  for (const id of ids) {
    await things.insert({ id: id + 1n, kind: 'new', tags: ['new', 'all'] });
    await things.insert({ id: id + 2n, kind: 'former', tags: ['former'] });
    await things.update(id + 2n, (old) => ({ ...old, kind: 'changed', tags: ['changed', 'all'] }));
    await things.update(id, (old) => ({ ...old, kind: 'changed', tags: ['changed'] }));
    await things.delete(id + 10n);
    await things.insert({ id: id + 3n, kind: 'former', tags: ['former'] });
    await things.delete(id + 3n);
  }
};

const rowsOf = async (table: string, index_key: number): Promise<number> => {
  const [row] = await temporary.db.knex(table).where({ index_key }).count({ count: '*' });
  return Number(row?.['count']);
};

const indexRows = (): Promise<{ key: number; kind: string }[]> =>
  temporary.db
    .knex('collection_indexes')
    .join('collections', 'collections.key', 'collection_indexes.collection')
    .where({ service })
    .orderBy('collection_indexes.key')
    .select('collection_indexes.key', 'kind');

describe('indexes that are declared anew', () => {
  test.each([
    [0, 0],
    [1, 0],
    [pieceSize - 1, 0],
    [pieceSize, 2],
    [pieceSize + 1, 2],
  ])('for %i items are left to fill after the start: %i', async (count, left) => {
    await insertPlain(spreadIds(count));
    const storage = await open(indexed);
    expect(storage.maintenance).toHaveLength(left);
    await finish(storage);
    await expectExact(storage);
  });

  test('are unavailable until they are filled, and exact from then on', async () => {
    await insertPlain(spreadIds(450));
    const storage = await open(indexed);
    expect(storage.maintenance).toHaveLength(2);
    await expectUnavailable(storage);
    const kept = await thingsIn(storage).get(-1000n);
    expect(kept?.read()).toEqual(thing(-1000n));
    expect(await readPages(thingsIn(storage).list())).toHaveLength(450);
    for (const piece of storage.maintenance) expect(await piece()).toBe(true);
    await expectUnavailable(storage);
    for (const piece of storage.maintenance) expect(await piece()).toBe(false);
    await expectExact(storage);
    for (const piece of storage.maintenance) expect(await piece()).toBe(false);
    await expectExact(storage);
  });

  test('follow changes before and behind what they hold already', async () => {
    const ids = spreadIds(450);
    const [first = 0n, last = 0n] = [ids[0], ids.at(-1)];
    await insertPlain(ids);
    const storage = await open(indexed);
    const held = ids[pieceSize - 1] ?? 0n;
    await changeAt(storage, first - 100n, first, held - 20n, held, held + 50n, last - 40n, last);
    for (const piece of storage.maintenance) expect(await piece()).toBe(true);
    await changeAt(storage, first + 40n, held + 100n, held + 2010n, last - 80n, last + 100n);
    await finish(storage);
    await expectExact(storage);
    await changeAt(storage, first + 100n, last - 200n, last + 200n);
    await expectExact(storage);
  });

  test('are filled while items change', async () => {
    const ids = spreadIds(650);
    await insertPlain(ids);
    const storage = await open(indexed);
    await Promise.all([
      finish(storage),
      ...ids.filter((_, at) => at % 20 === 0).map((id) => changeAt(storage, id)),
    ]);
    await expectExact(storage);
  });

  test('take in every item that one transaction changes', async () => {
    await insertPlain(spreadIds(450));
    const storage = await open(indexed);
    const failing = storage.transaction(async (collections) => {
      await changeAt({ ...storage, collections }, -1000n, 2000n);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    await storage.transaction(async (collections) => {
      await changeAt({ ...storage, collections }, -900n, 3000n);
    });
    await finish(storage);
    await expectExact(storage);
  });

  test('go on where they were before a restart', async () => {
    const ids = spreadIds(650);
    await insertPlain(ids);
    await changeAt(await open(indexed), -900n, 3000n);
    await temporary.reopen();
    const again = await open(indexed);
    expect(again.maintenance).toHaveLength(2);
    await changeAt(again, -700n, 1500n, 3300n);
    for (const piece of again.maintenance) expect(await piece()).toBe(true);
    await temporary.reopen();
    const complete = await open(indexed);
    expect(complete.maintenance).toEqual([]);
    await expectExact(complete);
  });

  test.each([
    ['the last of a piece', pieceSize],
    ['the last of two pieces', 2 * pieceSize],
    ['within a piece', 2 * pieceSize + 50],
  ])('hold the ends of int64: %s', async (_, count) => {
    const between = spreadIds(count - 2);
    await insertPlain([FIRST, ...between, LAST]);
    const storage = await open(indexed);
    await thingsIn(storage).update(FIRST, (old) => ({ ...old, kind: 'first' }));
    await thingsIn(storage).update(LAST, (old) => ({ ...old, kind: 'last' }));
    await finish(storage);
    await expectExact(storage);
    await thingsIn(storage).delete(FIRST);
    await thingsIn(storage).delete(LAST);
    await expectExact(storage);
  });
});

describe('indexes that are declared no longer', () => {
  test('are emptied, and their rows go', async () => {
    const storage = await open(indexed);
    await storage.transaction(async (collections) => {
      for (const id of spreadIds(450)) await collections['things']?.insert(thing(id));
    });
    const rows = await indexRows();
    expect(rows.map(({ kind }) => kind)).toEqual(['lookup', 'count']);
    const without = await open(plain);
    await finish(without);
    expect(await indexRows()).toEqual([]);
    for (const { key } of rows) {
      expect([await rowsOf('item_index', key), await rowsOf('value_counts', key)]).toEqual([0, 0]);
    }
    expect(await readPages(thingsIn(without).list())).toHaveLength(450);
    expect((await open(plain)).maintenance).toEqual([]);
  });

  test.each([
    ['are filled anew when they are declared again', true],
    ['are filled anew also where they were not yet emptied', false],
  ])('%s', async (_, isEmptied) => {
    await insertPlain(spreadIds(450));
    await finish(await open(indexed));
    const without = await open(plain);
    expect(without.maintenance).not.toEqual([]);
    await changeAt(without, -900n, 500n, 1500n);
    if (isEmptied) await finish(without);
    await changeAt(without, 2500n);
    await temporary.reopen();
    const again = await open(indexed);
    if (isEmptied) await expectUnavailable(again);
    await changeAt(again, -700n, 2900n);
    await finish(again);
    await expectExact(again);
    const rows = await indexRows();
    expect(rows.map(({ kind }) => kind)).toEqual(['lookup', 'count']);
  });

  test('leave those that are still declared as they are', async () => {
    const both = { things: { schema: 'Thing', lookups: ['tags', 'kind'], counts: ['kind'] } };
    const storage = await open(both);
    await storage.transaction(async (collections) => {
      for (const id of spreadIds(250)) await collections['things']?.insert(thing(id));
    });
    const fewer = await open(indexed);
    await expectExact(fewer);
    await finish(fewer);
    await expectExact(fewer);
    expect(await indexRows()).toHaveLength(2);
  });
});

test('two processes that start together and change items fill an index once, and agree', async () => {
  const other = await temporary.openAnother();
  const ids = spreadIds(450);
  await insertPlain(ids);
  const [one, two] = await Promise.all([open(indexed), open(indexed, other)]);
  await changeAt(two, -900n, 1500n, 3000n);
  await Promise.all([
    ...[finish(one), finish(two)],
    ...ids.filter((_, at) => at % 40 === 0).map((id) => changeAt(one, id)),
    ...ids.filter((_, at) => at % 40 === 20).map((id) => changeAt(two, id)),
  ]);
  for (const storage of [two, one]) await expectExact(storage);
  expect(await indexRows()).toHaveLength(2);
});

test('a process sees by itself that another has filled an index', async () => {
  const other = await temporary.openAnother();
  await insertPlain(spreadIds(450));
  const [one, two] = [await open(indexed), await open(indexed, other)];
  await finish(one);
  await changeAt(two, 2900n);
  for (const storage of [two, one]) await expectExact(storage);
});
