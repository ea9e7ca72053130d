import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { statusCounts } from '../../../../../src/server/storage/collections/status-counts';
import type { Database } from '../../../../../src/server/storage/database/database';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

let temporary: TemporaryDatabase;
let db: Database;

beforeAll(async () => {
  temporary = await openTemporaryDatabase();
  db = temporary.db;
});

afterAll(() => temporary.remove());

type Move = readonly [before: string | undefined, after: string | undefined];

describe('statusCounts', () => {
  test.each<[string, Move[], [string, number][]]>([
    ['nothing', [], []],
    [
      'what is new',
      [
        [undefined, 'a'],
        [undefined, 'a'],
        [undefined, 'b'],
      ],
      [
        ['a', 2],
        ['b', 1],
      ],
    ],
    [
      'what changes',
      [
        [undefined, 'a'],
        ['a', 'b'],
      ],
      [['b', 1]],
    ],
    [
      'what is gone',
      [
        [undefined, 'a'],
        [undefined, 'a'],
        ['a', undefined],
      ],
      [['a', 1]],
    ],
    ['what has none', [[undefined, undefined]], []],
    [
      'what stays',
      [
        [undefined, 'a'],
        ['a', 'a'],
      ],
      [['a', 1]],
    ],
  ])('counts %s', async (title, moves, wanted) => {
    const counts = statusCounts(db, title);
    await db.transaction(async (trx) => {
      for (const [before, after] of moves) counts.move(trx, before, after);
    });
    expect([...(await counts.read())].sort()).toEqual(wanted);
  });

  test('adds up what many processes counted, whoever counted down', async () => {
    const processes = Array.from({ length: 20 }, () => statusCounts(db, 'many'));
    await Promise.all(
      processes.map((counts) => db.transaction(async (trx) => counts.move(trx, undefined, 'a'))),
    );
    const [one, other] = [statusCounts(db, 'many'), statusCounts(db, 'many')];
    await db.transaction(async (trx) => one.move(trx, 'a', 'b'));
    expect([...(await other.read())].sort()).toEqual([
      ['a', 19],
      ['b', 1],
    ]);
  });

  test('forgets what a transaction did that was undone', async () => {
    const counts = statusCounts(db, 'undone');
    const failed = db.transaction(async (trx) => {
      counts.move(trx, undefined, 'a');
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect([...(await counts.read())]).toEqual([]);
  });

  test('keeps services apart', async () => {
    const [one, other] = [statusCounts(db, 'one'), statusCounts(db, 'other')];
    await db.transaction(async (trx) => one.move(trx, undefined, 'a'));
    expect([...(await other.read())]).toEqual([]);
  });
});
