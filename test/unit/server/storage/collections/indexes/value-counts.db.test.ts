import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CollectionIndex } from '../../../../../../src/server/storage/collections/indexes/collection-index';
import { valueCounts } from '../../../../../../src/server/storage/collections/indexes/value-counts';
import type { Database } from '../../../../../../src/server/storage/database/database';
import { openTemporaryDatabase, type TemporaryDatabase } from '../../temporary-database';

let temporary: TemporaryDatabase;
let db: Database;
let indexes = 0;

beforeAll(async () => {
  temporary = await openTemporaryDatabase();
  db = temporary.db;
});

afterAll(() => temporary.remove());

/** A complete index of its own. */
const newIndex = (path = 'status'): CollectionIndex => {
  indexes += 1;
  return {
    ...{ key: indexes, kind: 'count', path },
    isComplete: async () => true,
    holds: async () => true,
    requireComplete: async () => undefined,
  };
};

type Move = readonly [before: string | undefined, after: string | undefined];

const item = (status: string | undefined) => ({ status });

const move = (index: CollectionIndex, moves: readonly Move[], counts = valueCounts(db)) =>
  db.transaction(async (trx) => {
    for (const [before, after] of moves) {
      counts.update(trx, index, 0n, item(before), item(after));
    }
  });

const read = (index: CollectionIndex) => valueCounts(db).read(db.all, index);

describe('valueCounts', () => {
  test.each<[string, Move[], Record<string, number>]>([
    ['nothing', [], {}],
    [
      'what is new',
      [
        [undefined, 'a'],
        [undefined, 'a'],
        [undefined, 'b'],
      ],
      { a: 2, b: 1 },
    ],
    [
      'what changes',
      [
        [undefined, 'a'],
        ['a', 'b'],
      ],
      { b: 1 },
    ],
    [
      'what is gone',
      [
        [undefined, 'a'],
        [undefined, 'a'],
        ['a', undefined],
      ],
      { a: 1 },
    ],
    ['what has none', [[undefined, undefined]], {}],
    [
      'what stays',
      [
        [undefined, 'a'],
        ['a', 'a'],
      ],
      { a: 1 },
    ],
    ['an empty value', [[undefined, '']], { '': 1 }],
    ['values with spaces', [[undefined, 'a b']], { 'a b': 1 }],
  ])('counts %s', async (_, moves, wanted) => {
    const index = newIndex();
    await move(index, moves);
    expect(await read(index)).toEqual(wanted);
  });

  test('counts what comes and goes as a whole', async () => {
    const index = newIndex();
    const counts = valueCounts(db);
    await db.transaction(async (trx) => counts.update(trx, index, 1n, undefined, item('a')));
    expect(await read(index)).toEqual({ a: 1 });
    await db.transaction(async (trx) => counts.update(trx, index, 1n, item('a'), undefined));
    expect(await read(index)).toEqual({});
  });

  test('adds up what many processes counted, whichever counted down', async () => {
    const index = newIndex();
    const processes = Array.from({ length: 20 }, () => valueCounts(db));
    await Promise.all(processes.map((counts) => move(index, [[undefined, 'a']], counts)));
    await move(index, [['a', 'b']]);
    expect(await read(index)).toEqual({ a: 19, b: 1 });
  });

  test('forgets what a transaction did that was undone', async () => {
    const index = newIndex();
    const counts = valueCounts(db);
    const failed = db.transaction(async (trx) => {
      counts.update(trx, index, 1n, undefined, item('a'));
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await read(index)).toEqual({});
  });

  test('keeps indexes apart, also in one transaction', async () => {
    const [one, other, third] = [newIndex(), newIndex('kind'), newIndex()];
    const counts = valueCounts(db);
    await db.transaction(async (trx) => {
      counts.update(trx, one, 1n, undefined, { status: 'a', kind: 'k' });
      counts.update(trx, other, 1n, undefined, { status: 'a', kind: 'k' });
    });
    expect(await read(one)).toEqual({ a: 1 });
    expect(await read(other)).toEqual({ k: 1 });
    expect(await read(third)).toEqual({});
  });
});
