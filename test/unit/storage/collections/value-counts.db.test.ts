/** The counting of values; indexes.db.test.ts compares them with the items. */

import { describe, expect, test } from '@jest/globals';
import {
  type CollectionIndex,
  valueCounts,
} from '../../../../src/storage/collections/collection-indexes';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();
let indexes = 0;

/** A complete index of its own. */
const newIndex = (path = 'status'): CollectionIndex => {
  indexes += 1;
  return { key: indexes, kind: 'count', path };
};

type Move = readonly [before: string | undefined, after: string | undefined];

const item = (status: string | undefined) => ({ status });

const countsOf = () => valueCounts(temporary.db);

const move = (index: CollectionIndex, moves: readonly Move[], counts = countsOf()) =>
  temporary.db.transaction(async (trx) => {
    for (const [before, after] of moves) {
      counts.update(trx, index, 0n, item(before), item(after));
    }
  });

const read = (index: CollectionIndex) => countsOf().read(temporary.db.all, index);

const added: Move = [undefined, 'a'];

describe('valueCounts', () => {
  test('counts an empty value like any other', async () => {
    const index = newIndex();
    await move(index, [[undefined, ''], added]);
    expect(await read(index)).toEqual({ '': 1, a: 1 });
  });

  test('adds up what many processes counted, whichever counted down', async () => {
    const index = newIndex();
    const processes = Array.from({ length: 20 }, countsOf);
    await Promise.all(processes.map((counts) => move(index, [added], counts)));
    await move(index, [['a', 'b']]);
    expect(await read(index)).toEqual({ a: 19, b: 1 });
  });

  test('counts items as a whole, and forgets what a transaction did that was undone', async () => {
    const index = newIndex();
    const counts = countsOf();
    const change = (before: object | undefined, after: object | undefined, fails: boolean) =>
      temporary.db.transaction(async (trx) => {
        counts.update(trx, index, 1n, before, after);
        if (fails) throw new Error('undone');
      });
    await expect(change(undefined, item('a'), true)).rejects.toThrow('undone');
    await change(undefined, item('a'), false);
    expect(await read(index)).toEqual({ a: 1 });
    await change(item('a'), undefined, false);
    expect(await read(index)).toEqual({});
  });

  test('keeps indexes apart, also in one transaction', async () => {
    const [one, other, third] = [newIndex(), newIndex('kind'), newIndex()];
    const counts = countsOf();
    await temporary.db.transaction(async (trx) => {
      for (const index of [one, other]) {
        counts.update(trx, index, 1n, undefined, { status: 'a', kind: 'k' });
      }
    });
    expect([await read(one), await read(other), await read(third)]).toEqual([
      { a: 1 },
      { k: 1 },
      {},
    ]);
  });
});
