/**
 * Ids that a process takes in advance, a block at a time, so that nobody waits for the counter while a change is committed. A process
 * that ends leaves a gap; no id comes twice.
 */

import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database/database';
import { param } from '../sql/statement';
import { newKey } from './keys';

/** Ids in a block at most. */
const largestBlock = 1024;

/** Milliseconds that a block should last: to take one for each item makes adding an item take a seventh longer. */
const shortest = 20;

/** Where the ids of a collection come from. */
export interface IdBlocks {
  /** The next id that this process assigns. It may be in use by now, or have been given and removed. */
  next(): Promise<bigint>;
}

/** A block: the first of its ids, and those of them that are not to be assigned. */
interface BlockRow {
  readonly first: string;
  readonly taken: readonly string[];
}

const freeOf = (block: BlockRow, size: number): bigint[] => {
  const taken = new Set(block.taken);
  const ids = Array.from({ length: size }, (_, at) => BigInt(block.first) + BigInt(at));
  return ids.filter((id) => !taken.has(id.toString()));
};

/**
 * The blocks of a collection, cut from its row in the table `id_counters`. They grow while callers have to wait for them, and while
 * they are soon used up, and shrink otherwise: a lone caller gets ascending ids, and few are lost when the process ends.
 *
 * @param clock - milliseconds that never run backwards
 */
export const newBlocks = (
  { knex, prepare, ahead }: Pick<Database, 'knex' | 'prepare' | 'ahead'>,
  collection: number,
  kind: string,
  clock: () => number = () => performance.now(),
): IdBlocks => {
  // Whoever waits for the row waits for no disk. What is committed later with one of these ids is behind this in the log, and cannot
  // be there without it.
  // Ids that are in use are left out: their items may be removed before the ids' turn comes. So are those that were given and removed.
  const take = prepare<{ size: number }, BlockRow>(
    knex.raw(
      `with block as (
        insert into id_counters (name, next) select ?, 1 + cast(? as bigint)
          from (select set_config('synchronous_commit', 'off', true)) as setting
          on conflict (name) do update set next = id_counters.next + excluded.next - 1
          returning next - cast(? as bigint) as first, next - 1 as last
      )
      select cast(first as text) as first, array(
        select cast(id as text) from retired_ids where kind = ? and id between first and last
        union select cast(id as text) from items where collection = ? and id between first and last
      ) as taken from block`,
      [kind, param('size'), param('size'), kind, collection],
    ),
  );

  const free: bigint[] = [];
  let size = 1;
  let takenAt = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let filling: Promise<void> | undefined;

  const nextSize = (): number => {
    if (waiting > size) return Math.min(2 * waiting, largestBlock);
    if (clock() - takenAt < shortest) return Math.min(2 * size, largestBlock);
    return waiting === 0 ? Math.max(1, size >> 1) : size;
  };

  const takeBlock = async (): Promise<void> => {
    // Those who come at the same time are counted.
    await setImmediate();
    size = nextSize();
    const [block] = await ahead(take, { size });
    if (block === undefined) throw new Error(`There is no counter of ${kind}`);
    // One that somebody waits for is begun at once, however seldom somebody comes.
    takenAt = waiting > 0 ? Number.NEGATIVE_INFINITY : clock();
    free.push(...freeOf(block, size));
    // Ids that clients gave may fill many blocks.
    if (free.length === 0) size = Math.min(2 * size, largestBlock);
  };

  /** One at a time, for all who wait. */
  const fill = (): Promise<void> => {
    filling ??= takeBlock().finally(() => {
      filling = undefined;
    });
    return filling;
  };

  const waitForOne = async (): Promise<bigint> => {
    waiting += 1;
    try {
      while (true) {
        await fill();
        const id = free.shift();
        if (id !== undefined) return id;
      }
    } finally {
      waiting -= 1;
    }
  };

  return {
    async next() {
      const id = free.shift() ?? (await waitForOne());
      // In advance, so that the next caller need not wait. If it fails, that one will try again.
      if (free.length <= size / 4) fill().catch(() => undefined);
      return id;
    },
  };
};

/** The blocks of each database, by the names of their counters: collections that are opened anew go on with them. */
const blocksOf = new WeakMap<Database, Map<string, IdBlocks>>();

const knownBlocks = (db: Database): Map<string, IdBlocks> => {
  const known = blocksOf.get(db) ?? new Map<string, IdBlocks>();
  blocksOf.set(db, known);
  return known;
};

/** The blocks of a collection, the same for all who ask. */
export const idBlocks = (db: Database, collection: number, kind: string): IdBlocks => {
  const known = knownBlocks(db);
  const blocks = known.get(kind) ?? newBlocks(db, collection, kind);
  known.set(kind, blocks);
  return blocks;
};

/** For items without a number. */
export const newKeys: IdBlocks = {
  next: async () => newKey(),
};
