/** How many ids a process takes in advance. */

import { afterAll, expect, test } from '@jest/globals';
import { knex } from 'knex';
import { newBlocks } from '../../../../src/storage/collections/id-blocks';
import type { Database } from '../../../../src/storage/database/database';
import { statement } from '../../../../src/storage/sql/statement';

const postgres = knex({ client: 'pg' });
afterAll(() => postgres.destroy());

/** Takes ids one after the other, each so many milliseconds after the one before: the ids, and the sizes of their blocks. */
const takeIds = async (count: number, milliseconds: number) => {
  const sizes: number[] = [];
  let next = 1;
  let time = 0;
  const ahead = async (_: unknown, { size }: Readonly<Record<string, number>>) => {
    sizes.push(size ?? 0);
    next += size ?? 0;
    return [{ first: String(next - (size ?? 0)), taken: [] }];
  };
  const db = { knex: postgres, prepare: statement, ahead: ahead as Database['ahead'] };
  const blocks = newBlocks(db, 1, 'shop/pets', () => time);
  const ids: bigint[] = [];
  while (ids.length < count) {
    ids.push(await blocks.next());
    // What is taken in advance has come by then.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    time += milliseconds;
  }
  return { ids, sizes };
};

const upTo = (count: number): bigint[] => Array.from({ length: count }, (_, at) => BigInt(at + 1));

test('a caller who takes his time has ids one by one, so that none is lost', async () => {
  const { ids, sizes } = await takeIds(10, 1000);
  expect(ids).toEqual(upTo(10));
  expect(new Set(sizes)).toEqual(new Set([1]));
});

test('blocks grow while they are soon used up, until each lasts for a while', async () => {
  const { ids, sizes } = await takeIds(1000, 1);
  expect(ids).toEqual(upTo(1000));
  expect(sizes.slice(0, 6)).toEqual([1, 1, 2, 4, 8, 16]);
  expect(Math.max(...sizes)).toBe(32);
  expect(sizes.length).toBeLessThan(70);
});
