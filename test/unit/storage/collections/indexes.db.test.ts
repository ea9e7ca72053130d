/** Indexes that are new are filled, and those that are declared no longer are deleted, whatever changes meanwhile. */

import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DatabaseUnavailable } from '../../../../src/storage/connections/database-errors';
import type { Database } from '../../../../src/storage/database/database';
import type { ServiceStorage } from '../../../../src/storage/storage';
import { collectionOf, fileSettings, openStorage } from '../../../support/open-storage';
import { readPages } from '../../../support/read-serialized';
import { standInCodecOf } from '../../../support/stand-in-codec';
import { useTemporaryDatabase } from '../temporary-database';

interface Thing {
  readonly id: bigint;
  readonly kind?: string;
  readonly tags?: readonly string[];
}

const LAST = 9223372036854775807n;
const FIRST = -9223372036854775808n;

/** Items of the first page. */
const pageSize = 128;

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

type Declared = typeof plain | typeof indexed;

const open = (declared: Declared, db: Database = temporary.db) =>
  openStorage(db, service, declared);

/** Opens the service as a reload does. */
const reload = (declared: Declared, db: Database = temporary.db, schema = {}) =>
  openStorage(db, service, declared, schema, fileSettings, { isReload: true });

/** Opens the service, which declares no index, and inserts items under the ids. */
const insertPlain = async (ids: readonly bigint[]): Promise<ServiceStorage> => {
  const storage = await open(plain);
  await storage.transaction(async (collections) => {
    for (const id of ids) await collections['things']?.insert(thing(id));
  });
  return storage;
};

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

const indexRows = (): Promise<{ key: number; kind: string; is_complete: number }[]> =>
  temporary.db
    .knex('collection_indexes')
    .join('collections', 'collections.key', 'collection_indexes.collection')
    .where({ service })
    .orderBy('collection_indexes.key')
    .select('collection_indexes.key', 'kind', 'is_complete');

describe('indexes that are new', () => {
  test.each([0, 1, pageSize - 1, pageSize, pageSize + 1, 700])(
    'are exact after the start where there are %i items',
    async (count) => {
      await insertPlain(spreadIds(count));
      const storage = await open(indexed);
      await expectExact(storage);
      if (count > 0) await changeAt(storage, -1000n, 3000n);
      await expectExact(storage);
    },
  );

  test.each([
    ['the last of a page', pageSize],
    ['the last of two pages', 2 * pageSize],
    ['within a page', 2 * pageSize + 50],
  ])('hold the ends of int64: %s', async (_, count) => {
    await insertPlain([FIRST, ...spreadIds(count - 2), LAST]);
    const storage = await open(indexed);
    await expectExact(storage);
    await thingsIn(storage).update(FIRST, (old) => ({ ...old, kind: 'first' }));
    await thingsIn(storage).delete(LAST);
    await expectExact(storage);
  });

  test('tell how far they are filled', async () => {
    await insertPlain(spreadIds(pageSize + 1));
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => {
      now += 1001;
      return now;
    });
    const told: unknown[] = [];
    const onFill = (name: string, items: number) => told.push([name, items]);
    try {
      await openStorage(temporary.db, service, indexed, {}, fileSettings, { onFill });
    } finally {
      clock.mockRestore();
    }
    expect(told).toEqual([
      ['things', pageSize],
      ['things', pageSize + 1],
    ]);
  });

  test('begin again where filling them was stopped', async () => {
    await insertPlain(spreadIds(450));
    let reads = 0;
    const { read, ...codec } = standInCodecOf<object>();
    const stopping = (text: string): object => {
      reads += 1;
      if (reads > 300) throw new Error('Killed');
      return read(text);
    };
    const stopped = openStorage(temporary.db, service, indexed, {
      codec: { ...codec, read: stopping },
    });
    await expect(stopped).rejects.toThrow('Killed');
    expect((await indexRows()).map(({ is_complete }) => is_complete)).toEqual([0, 0]);
    await temporary.reopen();
    await changeAt(await open(plain), 500n);
    await temporary.reopen();
    await expectExact(await open(indexed));
  });

  test('are filled when another process has unlocked the items, and not where the database fails', async () => {
    await insertPlain(spreadIds(10));
    const failures: unknown[] = [
      Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' }),
      Object.assign(new Error('locked'), { code: '55P03' }),
      Object.assign(new Error('late'), { code: 'WAITED_TOO_LONG' }),
      undefined,
      Object.assign(new Error('full'), { code: 'SQLITE_FULL' }),
    ];
    const db: Database = {
      ...temporary.db,
      transaction(work, lock) {
        const cause = failures.shift();
        return cause === undefined
          ? temporary.db.transaction(work, lock)
          : Promise.reject(new DatabaseUnavailable('unavailable', cause, 2));
      },
    };
    await expect(open(indexed, db)).rejects.toThrow(DatabaseUnavailable);
    expect(failures).toEqual([]);
    await expectExact(await open(indexed, db));
  });

  test('are filled once by two processes that start together', async () => {
    const other = await temporary.openAnother();
    await insertPlain(spreadIds(450));
    const [one, two] = await Promise.all([open(indexed), open(indexed, other)]);
    await changeAt(two, -900n, 1500n, 3000n);
    for (const storage of [two, one]) await expectExact(storage);
    expect(await indexRows()).toHaveLength(2);
  });
});

describe('a reload that declares an index', () => {
  test('misses nothing that the former application changes', async () => {
    const ids = spreadIds(650);
    const former = await insertPlain(ids);
    const changing = ids
      .filter((_, at) => at % 20 === 0)
      .map(async (id) => {
        await changeAt(former, id);
        await changeAt(former, id + 5n);
      });
    const [next] = await Promise.all([reload(indexed), ...changing]);
    await changeAt(former, -700n, 900n);
    await expectExact(next);
    await changeAt(next, 4500n);
    await expectExact(next);
  });

  test('answers requests of the former application meanwhile', async () => {
    const former = await insertPlain(spreadIds(600));
    let reads = 0;
    const codec = standInCodecOf<object>();
    const slow = {
      ...codec,
      read(text: string): object {
        reads += 1;
        return codec.read(text);
      },
    };
    const reloading = reload(indexed, temporary.db, { codec: slow });
    let answered = 0;
    while (reads < 600 && answered < 100) {
      expect(await readPages(thingsIn(former).list())).toHaveLength(600);
      answered += 1;
    }
    expect(answered).toBeGreaterThan(0);
    await expectExact(await reloading);
  });

  test('misses nothing that other processes change before they reload, too', async () => {
    const other = await temporary.openAnother();
    const one = await insertPlain(spreadIds(300));
    const two = await open(plain, other);
    const oneNext = await reload(indexed);
    await changeAt(two, -900n, 100n);
    await changeAt(one, -700n, 300n);
    const twoNext = await reload(indexed, other);
    await changeAt(two, 500n);
    for (const storage of [oneNext, twoNext]) await expectExact(storage);
  });

  test('fills again what a failed reload has not filled', async () => {
    const former = await insertPlain(spreadIds(20));
    const codec = standInCodecOf<object>();
    const read = (): never => {
      throw new Error('Failed');
    };
    await expect(reload(indexed, temporary.db, { codec: { ...codec, read } })).rejects.toThrow(
      'Failed',
    );
    await changeAt(former, -900n);
    await expectExact(await reload(indexed));
  });

  test('takes in every item that one transaction changes, or none', async () => {
    const former = await insertPlain(spreadIds(300));
    const failing = former.transaction(async (collections) => {
      await changeAt({ ...former, collections }, -1000n, 2000n);
      throw new Error('undone');
    });
    const changing = former.transaction(async (collections) => {
      await changeAt({ ...former, collections }, -900n, 3000n);
    });
    const [next, undone] = await Promise.all([
      reload(indexed),
      failing.catch((error: unknown) => error),
      changing,
    ]);
    expect(undone).toMatchObject({ message: 'undone' });
    await expectExact(next);
  });
});

describe('indexes that are declared no longer', () => {
  const insertIndexed = async (): Promise<ServiceStorage> => {
    const storage = await open(indexed);
    await storage.transaction(async (collections) => {
      for (const id of spreadIds(450)) await collections['things']?.insert(thing(id));
    });
    return storage;
  };

  test('are deleted at the start', async () => {
    await insertIndexed();
    const rows = await indexRows();
    expect(rows.map(({ kind }) => kind)).toEqual(['lookup', 'count']);
    const without = await open(plain);
    await changeAt(without, -900n);
    expect(await indexRows()).toEqual([]);
    for (const { key } of rows) {
      expect([await rowsOf('item_index', key), await rowsOf('value_counts', key)]).toEqual([0, 0]);
    }
    await expectExact(await open(indexed));
  });

  test('stay at a reload, for the former application and until they are declared again', async () => {
    const former = await insertIndexed();
    const without = await reload(plain);
    await changeAt(without, -900n, 500n);
    await expectExact(former);
    await expectExact(await reload(indexed));
  });

  test('leave those that are still declared as they are', async () => {
    const both = { things: { schema: 'Thing', lookups: ['tags', 'kind'], counts: ['kind'] } };
    const storage = await openStorage(temporary.db, service, both);
    await storage.transaction(async (collections) => {
      for (const id of spreadIds(250)) await collections['things']?.insert(thing(id));
    });
    await expectExact(await open(indexed));
    expect(await indexRows()).toHaveLength(2);
  });
});
