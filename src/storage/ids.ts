/** Ids of resources: a given one is kept, a missing one is assigned from a counter, none is ever assigned twice. */

import type { Database, Runner } from './database';
import { slot } from './statement';

/** Inserts the resource under the id; false where the id is in use. */
type InsertUnder = (id: bigint) => Promise<boolean>;

/** The ids of resources that share one sequence. */
export interface Ids {
  /** Names the lock that assigning takes; see Database.transaction. */
  readonly lock: string;
  /** Starts the counter; false where it is running already. Of several transactions that try, one succeeds. */
  start(trx: Runner): Promise<boolean>;
  /**
   * Inserts a resource under the given id, or under the next free one.
   * @returns the id; undefined where the given one is in use
   */
  insert(trx: Runner, given: bigint | undefined, insert: InsertUnder): Promise<bigint | undefined>;
  /** Sees to it that the id of a resource that was removed in this transaction is never assigned again. */
  retire(trx: Runner, id: bigint): Promise<void>;
}

/** The ids that a service's resources of one table share. */
export const idsOf = (db: Database, service: string, table: string): Ids => {
  const { knex, prepare } = db;
  const kind = `${service}/${table}`;
  // The drivers read integers as doubles or as text; only text keeps the digits above 2^53.
  const nextAsText = knex.raw('cast(?? as text) as ??', ['next', 'next']);
  const counter = () => knex('id_counters').where({ name: kind });

  const startCounter = prepare<Record<string, never>, { name: string }>(
    knex('id_counters')
      .insert({ name: kind, next: '1' })
      .onConflict('name')
      .ignore()
      .returning('name'),
  );
  const readCounter = prepare<Record<string, never>, { next: string }>(
    counter().select(nextAsText),
  );
  const lockCounter = prepare<Record<string, never>, { next: string }>(
    counter().forUpdate().select(nextAsText),
  );
  const setCounter = prepare<{ next: string }, never>(counter().update({ next: slot('next') }));
  const findRetired = prepare<{ id: string }, { kind: string }>(
    knex('retired_ids')
      .where({ kind, id: slot('id') })
      .select('kind'),
  );
  const addRetired = prepare<{ id: string }, never>(
    knex('retired_ids')
      .insert({ kind, id: slot('id') })
      .onConflict()
      .ignore(),
  );

  const start = async (trx: Runner): Promise<boolean> =>
    (await trx.all(startCounter, {})).length === 1;

  /** Locks the counter until the transaction ends. */
  const lockNext = async (trx: Runner): Promise<bigint> => {
    let [row] = await trx.all(lockCounter, {});
    if (row === undefined) {
      await start(trx);
      [row] = await trx.all(lockCounter, {});
    }
    if (row === undefined) throw new Error(`There is no counter of ${kind}`);
    return BigInt(row.next);
  };

  const isRetired = async (trx: Runner, id: bigint): Promise<boolean> =>
    (await trx.all(findRetired, { id: id.toString() })).length > 0;

  const assign = async (trx: Runner, insert: InsertUnder): Promise<bigint> => {
    let id = await lockNext(trx);
    while ((await isRetired(trx, id)) || !(await insert(id))) id += 1n;
    await trx.all(setCounter, { next: (id + 1n).toString() });
    return id;
  };

  return {
    // Counters come before the rows they number.
    lock: `0 ${kind}`,
    start,

    async insert(trx, given, insert) {
      if (given === undefined) return assign(trx, insert);
      return (await insert(given)) ? given : undefined;
    },

    async retire(trx, id) {
      // The counter has passed all smaller ids and never returns to them; this is seen without the lock.
      const [passed] = await trx.all(readCounter, {});
      if (passed !== undefined && id < BigInt(passed.next)) return;
      if (id >= (await lockNext(trx))) await trx.all(addRetired, { id: id.toString() });
    },
  };
};
