/** Pages that callers turn by cursors, and counts: exact for all conditions and orders, whatever changes between two pages. */

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { compareNumbers, decimalOf } from '../../../../src/base/decimal';
import type { Collection } from '../../../../src/storage/collections/collection';
import { InvalidPage } from '../../../../src/storage/collections/cursors';
import type { PageOptions, Where } from '../../../../src/storage/collections/page-query';
import type { SortKind } from '../../../../src/storage/collections/sort-keys';
import { collectionOf, fileSettings, openStorage } from '../../../support/open-storage';
import { standInCodec } from '../../../support/stand-in-codec';
import { readValue, tableOf } from '../../../support/text-cases';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();

interface Thing {
  readonly id: bigint;
  readonly kind?: string;
  readonly tags?: readonly string[];
  readonly title?: string | null;
  readonly size?: bigint;
  readonly price?: number | bigint | string;
  readonly at?: string;
  readonly flag?: boolean;
  readonly place?: { readonly city?: string };
}

const kinds: Readonly<Record<string, SortKind>> = {
  size: 'sort-number',
  price: 'sort-number',
  at: 'sort-date-time',
};
const sorts = ['title', 'size', 'price', 'at', 'flag', 'place.city'];
const declared = { schema: 'Thing', lookups: ['kind', 'tags'], sorts };
const schema = { sortKind: (path: string): SortKind => kinds[path] ?? 'sort' };

const cases = join(__dirname, 'keyset-pages.cases.txt');

const LAST = 9223372036854775807n;
const FIRST = -9223372036854775808n;

const values = new Map(
  tableOf(cases, 'values').map(([name, list = '']) => [name, Object(readValue(list))]),
);
// As plain JSON: a text may begin with U+0000.
const titles: readonly string[] = JSON.parse(String(tableOf(cases, 'titles')));
const sizes: readonly bigint[] = values.get('sizes');
const prices: readonly (number | bigint | string)[] = values.get('prices');
const times: readonly string[] = values.get('times');

/** One of a list by a number; of a few numbers none. */
const pick = <Value>(values: readonly Value[], number: number): Value | undefined =>
  number % 13 === 5 ? undefined : values[number % values.length];

const kindOf = (at: number): string => {
  if (at % 997 === 3) return 'rare';
  return at % 4 === 0 ? 'some' : 'most';
};

const thing = (id: bigint, at: number): Thing => {
  const [title, size, price] = [pick(titles, at), pick(sizes, at * 7), pick(prices, at * 5)];
  const [time, city] = [pick(times, at * 3), pick(['Bern', 'Biel'], at)];
  return {
    id,
    kind: kindOf(at),
    tags: [`t${at % 5}`, `t${at % 7}`],
    ...(at % 17 === 0 ? { title: null } : title !== undefined && { title }),
    ...(size !== undefined && { size }),
    ...(price !== undefined && { price }),
    ...(time !== undefined && { at: time }),
    ...(at % 3 > 0 && { flag: at % 3 === 1 }),
    ...(city !== undefined && { place: { city } }),
  };
};

/** So many that neither one step nor the entries of one condition hold them all. */
const manyThings: readonly Thing[] = [
  thing(FIRST, 1),
  ...Array.from({ length: 5600 }, (_, at) => thing(BigInt(at * 3 - 3000), at)),
  thing(2n ** 53n + 1n, 2),
  thing(LAST, 4),
];

/** Stores things as rows; the indexes are filled when the collection is opened. */
const openWith = async (service: string, things: readonly Thing[]): Promise<Collection<Thing>> => {
  const { knex } = temporary.db;
  await openStorage(temporary.db, service, { things: { schema: 'Thing' } }, schema);
  const { key: collection } = await knex('collections').where({ service }).first('key');
  const rows = things.map((one) => ({
    collection,
    id: one.id.toString(),
    document: standInCodec.write(one),
    format: standInCodec.format,
  }));
  await knex.batchInsert('items', rows, 100);
  return collectionOf(
    await openStorage(temporary.db, service, { things: declared }, schema),
    'things',
  );
};

type Compare<Value> = (one: Value, other: Value) => number;

const byText: Compare<string> = (one, other) => {
  const [points, others] = [[...one], [...other]];
  const at = points.findIndex((point, index) => point !== others[index]);
  if (at < 0) return points.length - others.length;
  return (points[at]?.codePointAt(0) ?? 0) - (others[at]?.codePointAt(0) ?? -1);
};
const byNumber: Compare<unknown> = (one, other) => {
  const [number, another] = [decimalOf(String(one)), decimalOf(String(other))];
  if (number === undefined || another === undefined) throw new Error('These are no numbers');
  return compareNumbers(number, another);
};
const byTime: Compare<string> = (one, other) => Date.parse(one) - Date.parse(other);

const compare = (path: string, one: unknown, other: unknown): number => {
  if (path === 'at') return byTime(String(one), String(other));
  if (path === 'title' || path === 'place.city') return byText(String(one), String(other));
  return byNumber(Number(one === true) || one, Number(other === true) || other);
};

const valueAt = (path: string, { place, ...item }: Thing): unknown =>
  path === 'place.city' ? place?.city : Reflect.get(item, path);

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

const toNumber = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

const fitsRange = (path: string, value: unknown, range: object): boolean =>
  Object.entries(range).every(([operator, bound]) => {
    if (bound === undefined) return true;
    if (operator === 'prefix') return String(value).startsWith(String(bound));
    const order = compare(path, toNumber(value), toNumber(bound));
    if (operator === 'gt') return order > 0;
    if (operator === 'gte') return order >= 0;
    return operator === 'lt' ? order < 0 : order <= 0;
  });

const fits = (item: Thing, where: Where): boolean =>
  Object.entries(where).every(([path, condition]) => {
    if (condition === undefined) return true;
    const values = [valueAt(path, item)].flat().filter(isThere);
    const isSame = (one: unknown, other: unknown) =>
      sorts.includes(path) ? compare(path, toNumber(one), toNumber(other)) === 0 : one === other;
    if (Array.isArray(condition)) {
      return values.some((value) => condition.some((wanted) => isSame(value, wanted)));
    }
    if (typeof condition === 'object' && condition !== null) {
      if (Object.values(condition).every((bound) => bound === undefined)) return true;
      return values.some((value) => fitsRange(path, value, condition));
    }
    return values.some((value) => isSame(value, condition));
  });

/** What all pages of a list have together, worked out without the database. */
const expected = (
  things: readonly Thing[],
  { where = {}, order = 'id' }: PageOptions,
): bigint[] => {
  const path = order.replace('-', '');
  const sign = order.startsWith('-') ? -1 : 1;
  const byId: Compare<Thing> = (one, other) => (one.id < other.id ? -1 : 1);
  const inOrder: Compare<Thing> = (one, other) => {
    const [value, another] = [valueAt(path, one), valueAt(path, other)];
    if (!isThere(value) || !isThere(another)) {
      return Number(isThere(another)) - Number(isThere(value)) || byId(one, other);
    }
    return compare(path, toNumber(value), toNumber(another)) || byId(one, other);
  };
  return things
    .filter((item) => fits(item, where))
    .sort((one, other) => sign * (path === 'id' ? byId(one, other) : inOrder(one, other)))
    .map(({ id }) => id);
};

/** Turns all pages forwards, and back again from the last one; each page is the same in both directions but for where it begins. */
const walk = async (things: Collection<Thing>, options: PageOptions) => {
  const forwards: bigint[] = [];
  let page = await things.page(options);
  expect(page.previous).toBeUndefined();
  const limit = options.limit ?? 50;
  while (true) {
    forwards.push(...page.items.map(({ id }) => id));
    if (page.next === undefined) break;
    expect(page.items).toHaveLength(limit);
    page = await things.page({ ...options, after: page.next });
    expect(page.previous).toBeDefined();
  }
  const backwards = page.items.map(({ id }) => id);
  while (page.previous !== undefined) {
    page = await things.page({ ...options, before: page.previous });
    backwards.unshift(...page.items.map(({ id }) => id));
  }
  return { forwards, backwards };
};

describe('pages of many items', () => {
  let things: Collection<Thing>;

  beforeAll(async () => {
    things = await openWith('many', manyThings);
    // As databases do by themselves later.
    await temporary.db.knex.raw('analyze');
  }, 120_000);

  const orders = ['id', ...sorts].flatMap((path) => [path, `-${path}`]);

  test.each(orders)('have each item once in the order of %s', async (order) => {
    const { forwards, backwards } = await walk(things, { order, limit: 200 });
    expect(forwards).toEqual(expected(manyThings, { order }));
    expect(backwards).toEqual(forwards);
  });

  const conditions: Where[] = [
    { id: 9n },
    { id: [LAST, FIRST, 9n, 10n, 2n ** 53n + 1n] },
    { id: { gt: -30n, lte: 30n } },
    { id: { gte: 2n ** 53n } },
    { id: 2n ** 70n },
    { id: { lt: FIRST } },
    { kind: 'rare' },
    { kind: 'some' },
    { kind: ['rare', 'some', 'none'] },
    { kind: [] },
    { kind: 'none' },
    { tags: 't3' },
    { tags: ['t3', 't4'] },
    { title: 'a' },
    { title: '' },
    { title: ['a', '%', '\u{10ffff}'] },
    { title: { prefix: '' } },
    { title: { prefix: 'a' } },
    { title: { prefix: '%' } },
    { title: { prefix: '_' } },
    { title: { prefix: '\u{10ffff}' } },
    { title: { prefix: '\ud7ff' } },
    { title: { prefix: 'a\u{10ffff}' } },
    { title: { prefix: 'a\u0000' } },
    { title: { gt: 'a', lt: 'b' } },
    { title: { gt: '\u0000', lte: 'a\u0000' } },
    { title: { gte: '😀' } },
    { size: 2n ** 53n + 1n },
    { size: { gt: 2n ** 53n, lte: 2n ** 53n + 1n } },
    { size: { lt: 0n } },
    { size: { gte: LAST } },
    { price: { gt: 12.5, lt: 100 } },
    { price: '0.1234567890123456789' },
    { price: { lte: -0.5 } },
    { at: '2024-12-31T23:30:00Z' },
    { at: { gte: '2025-01-01T00:00:00Z' } },
    { at: { lt: '1970-01-01T00:00:00Z' } },
    { flag: true },
    { flag: [true, false] },
    { 'place.city': 'Bern', flag: false, kind: 'most' },
    { 'place.city': 'Bern', kind: 'rare' },
    { kind: 'some', at: { gt: '2025-01-01T00:00:00Z' }, title: { prefix: 'a' } },
    { kind: 'most', tags: 't6', size: { gte: 0n }, id: { gt: 0n } },
    { kind: undefined, at: { gt: undefined }, title: { prefix: undefined } },
  ];

  describe.each(conditions.map((where, at) => [at, where] as const))('where %i %o', (at, where) => {
    test.each(['id', ['-title', 'size', '-id', 'at'][at % 4] ?? ''])('by %s', async (order) => {
      const wanted = expected(manyThings, { where, order });
      const { forwards, backwards } = await walk(things, { where, order, limit: 200 });
      expect(forwards).toEqual(wanted);
      expect(backwards).toEqual(wanted);
    });

    test('are counted', async () => {
      expect(await things.count({ where })).toBe(expected(manyThings, { where }).length);
    });
  });

  test.each([1, 2, 7])('have up to %i items', async (limit) => {
    const options = { where: { kind: 'rare' }, order: '-size', limit };
    const { forwards, backwards } = await walk(things, options);
    expect(forwards).toEqual(expected(manyThings, options));
    expect(backwards).toEqual(forwards);
  });

  test('have 50 items by default', async () => {
    expect((await things.page()).items).toHaveLength(50);
    expect(await things.count({})).toBe(manyThings.length);
  });

  test.each<[string, PageOptions]>([
    ['a limit of 0', { limit: 0 }],
    ['a limit of 201', { limit: 201 }],
    ['a limit that is no integer', { limit: 1.5 }],
    ['a limit that is no number', { limit: Number.NaN }],
    ['a cursor that is none', { after: 'abc' }],
    ['an empty cursor', { before: '' }],
    ['a cursor of any length', { after: 'A'.repeat(100_000) }],
    ['a text for a number', { where: { size: 'many' } }],
    ['a date for a date-time', { where: { at: { gte: '2025-01-01' } } }],
    ['no text for a prefix', { where: { title: { prefix: 5 } } }],
    ['a long prefix', { where: { title: { prefix: 'x'.repeat(201) } } }],
    ['null', { where: { size: null } }],
    ['an id that is none', { where: { id: 'x' } }],
    ['too many values', { where: { kind: Array.from({ length: 257 }, String) } }],
  ])('are refused for %s', async (_, options) => {
    await expect(things.page(options)).rejects.toThrow(InvalidPage);
  });

  test.each(tableOf(cases, 'faults of the handler'))(
    'fail for %s, which is a fault of the handler',
    async (_, options = '', message = '') => {
      const failed = things.page(Object(readValue(options)));
      await expect(failed).rejects.toThrow(message);
      await expect(failed).rejects.not.toBeInstanceOf(InvalidPage);
    },
  );
});

describe('a cursor', () => {
  let things: Collection<Thing>;
  const options: PageOptions = { order: 'size', where: { kind: ['some', 'most'] }, limit: 5 };

  beforeAll(async () => {
    things = await openWith('cursors', manyThings.slice(0, 60));
  });

  const nextOf = async (of: PageOptions): Promise<string> => {
    const { next } = await things.page(of);
    if (next === undefined) throw new Error('There is one page alone');
    return next;
  };

  test('is the same for the same page, and shows nothing', async () => {
    const next = await nextOf(options);
    expect(await nextOf(options)).toBe(next);
    expect(await nextOf({ ...options, limit: 6 })).not.toBe(next);
    expect(next).toMatch(/^[\w-]{40,200}$/);
    expect(Buffer.from(next, 'base64url').toString('latin1')).not.toContain('n2');
  });

  test.each<[string, PageOptions]>([
    ['order', { ...options, order: '-size' }],
    ['field', { ...options, order: 'price' }],
    ['condition', { ...options, where: { kind: ['some', 'rare'] } }],
    ['number of conditions', { order: 'size' }],
  ])('of a list with another %s is refused', async (_, other) => {
    const after = await nextOf(other);
    await expect(things.page({ ...options, after })).rejects.toThrow(InvalidPage);
    await expect(things.page({ ...options, before: after })).rejects.toThrow(InvalidPage);
  });

  test('of another collection or service is refused', async () => {
    const others = await openWith('cursors of others', manyThings.slice(0, 60));
    const after = await nextOf(options);
    await expect(others.page({ ...options, after })).rejects.toThrow(InvalidPage);
  });

  test('is refused where any of its characters is another', async () => {
    const next = await nextOf(options);
    for (let at = 0; at < next.length; at += 1) {
      const other = next[at] === 'A' ? 'B' : 'A';
      const after = `${next.slice(0, at)}${other}${next.slice(at + 1)}`;
      await expect(things.page({ ...options, after })).rejects.toThrow(InvalidPage);
    }
    for (const after of [next.slice(1), next.slice(0, -1), `${next}A`, `${next}=`, ` ${next}`]) {
      await expect(things.page({ ...options, after })).rejects.toThrow(InvalidPage);
    }
  });

  test('goes on being one after a restart, and in other processes', async () => {
    const after = await nextOf(options);
    const wanted = await things.page({ ...options, after });
    const ids = (page: typeof wanted) => page.items.map(({ id }) => id);
    const db = await temporary.openAnother();
    const reopened = await openStorage(db, 'cursors', { things: declared }, schema);
    const again = await collectionOf<Thing>(reopened, 'things').page({ ...options, after });
    expect([ids(again), again.next]).toEqual([ids(wanted), wanted.next]);
  });

  test('is either after or before', async () => {
    const after = await nextOf(options);
    const both = things.page({ ...options, after, before: after });
    await expect(both).rejects.toThrow('A page is after a cursor or before one, not both');
  });
});

describe('changes between two pages', () => {
  let service = 0;
  const open = (): Promise<Collection<Thing>> => {
    service += 1;
    const things = Array.from({ length: 9 }, (_, at) => ({
      id: BigInt(at + 1),
      size: BigInt(at + 1) * 10n,
    }));
    return openWith(`changes ${service}`, things);
  };
  const sizesOf = ({ items }: Awaited<ReturnType<Collection<Thing>['page']>>) =>
    items.map(({ size }) => size);
  const options = { order: 'size', limit: 3 };

  test('are seen behind the cursor, and repeat or skip nothing', async () => {
    const things = await open();
    const first = await things.page(options);
    await things.delete(3n);
    await things.delete(4n);
    await things.insert({ id: 100n, size: 5n });
    await things.insert({ id: 101n, size: 55n });
    await things.update(9n, (old) => ({ ...old, size: 1n }));
    await things.update(8n, ({ id }) => ({ id }));
    const second = await things.page({ ...options, after: first.next });
    expect(sizesOf(second)).toEqual([50n, 55n, 60n]);
    const third = await things.page({ ...options, after: second.next });
    expect([sizesOf(third), third.next]).toEqual([[70n, undefined], undefined]);
    const back = await things.page({ ...options, before: second.previous });
    expect(sizesOf(back)).toEqual([5n, 10n, 20n]);
  });

  test('that leave nothing behind the cursor lead to the last page', async () => {
    const things = await open();
    const { next } = await things.page({ ...options, limit: 6 });
    for (const id of [7n, 8n, 9n]) await things.delete(id);
    const empty = await things.page({ ...options, after: next });
    expect([empty.items, empty.next]).toEqual([[], undefined]);
    const last = await things.page({ ...options, before: empty.previous });
    expect([sizesOf(last), last.next]).toEqual([[40n, 50n, 60n], undefined]);
  });

  test('that leave nothing before the cursor lead to the first page', async () => {
    const things = await open();
    const { next } = await things.page(options);
    const { previous } = await things.page({ ...options, after: next });
    for (const id of [1n, 2n, 3n]) await things.delete(id);
    const empty = await things.page({ ...options, before: previous });
    expect([empty.items, empty.previous]).toEqual([[], undefined]);
    const first = await things.page({ ...options, after: empty.next });
    expect([sizesOf(first), first.previous]).toEqual([[40n, 50n, 60n], undefined]);
  });

  test('of one transaction are seen inside of it alone', async () => {
    service += 1;
    const storage = await openStorage(
      temporary.db,
      `changes ${service}`,
      { things: declared },
      schema,
    );
    const things = collectionOf<Thing>(storage, 'things');
    const seen = await storage.transaction(async (collections) => {
      await collections['things']?.insert({ id: 1n, size: 2n });
      return collections['things']?.page({ where: { size: 2n } });
    });
    expect(seen?.items).toHaveLength(1);
    const undone = storage.transaction(async (collections) => {
      await collections['things']?.delete(1n);
      expect(await collections['things']?.count({ where: { size: 2n } })).toBe(0);
      throw new Error('Undone');
    });
    await expect(undone).rejects.toThrow('Undone');
    expect(await things.count({ where: { size: 2n } })).toBe(1);
  });
});

test('a sorted field is filled again where its schema says another type', async () => {
  const name = 'another type';
  const things = await openWith(name, [
    { id: 1n, price: '9' },
    { id: 2n, price: '10' },
  ]);
  const ids = async (from: Collection<Thing>) =>
    (await from.page({ order: 'price' })).items.map(({ id }) => id);
  expect(await ids(things)).toEqual([1n, 2n]);
  const asText = { sortKind: (): SortKind => 'sort' };
  const opened = await openStorage(temporary.db, name, { things: declared }, asText, fileSettings);
  expect(await ids(collectionOf(opened, 'things'))).toEqual([2n, 1n]);
  const kept = await temporary.db
    .knex('collection_indexes')
    .join('collections', 'collections.key', 'collection_indexes.collection')
    .where({ service: name, path: 'price' })
    .pluck('kind');
  expect(kept).toEqual(['sort']);
});
