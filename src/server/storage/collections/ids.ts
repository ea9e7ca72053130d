/** Ids of resources: a given one is used, a missing one is assigned from a counter, none is ever assigned twice. */

import { randomInt } from 'node:crypto';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';

/** Inserts the resource under the id; false where the id is in use. */
type InsertUnder = (id: bigint) => Promise<boolean>;

/** The ids of resources that share one sequence. */
interface Ids {
  /** Names the lock that assigning takes; see Database.transaction. */
  readonly lock: string;
  /** Starts the counter; false where it is running already. Of several transactions that try, one succeeds. */
  start(trx: Transaction): Promise<boolean>;
  /**
   * Inserts a resource under the given id, or under the next free one.
   * @returns the id; undefined where the given one is in use
   */
  insert(
    trx: Transaction,
    given: bigint | undefined,
    insert: InsertUnder,
  ): Promise<bigint | undefined>;
  /** Sees to it that the id of a resource that was removed in this transaction is never assigned again. */
  tombstone(trx: Transaction, id: bigint): Promise<void>;
}

/** A counter that is locked. */
interface Counter {
  /** The id to be assigned next. */
  next: bigint;
  /** The first of those that are never assigned again, from `next` on. */
  retired: bigint | undefined;
}

/** The drivers read integers as doubles or as text; only text keeps the digits above 2^53. */
interface CounterRow {
  readonly next: string;
  readonly retired: string | null;
}

const int64Of = (text: string | null | undefined): bigint | undefined =>
  text === null || text === undefined ? undefined : BigInt(text);

/** The ids that a service's resources of one table share. */
export const idsOf = (db: Database, service: string, table: string): Ids => {
  const { knex, prepare } = db;
  const kind = `${service}/${table}`;
  const asText = (column: string) => knex.raw('cast(?? as text) as ??', [column, column]);
  const counter = () => knex('id_counters').where({ name: kind });

  const startCounter = prepare<Record<string, never>, never>(
    knex('id_counters').insert({ name: kind, next: '1' }).onConflict('name').ignore(),
  );
  const readCounter = prepare<Record<string, never>, { next: string }>(
    counter().select(asText('next')),
  );
  const columns = [asText('next'), asText('retired')];
  const lock = prepare<Record<string, never>, CounterRow>(counter().forUpdate().select(columns));
  // A statement that changes the row locks it, too. No retired id is 0: the counter starts behind that.
  const advance = prepare<{ next: string; retired: string }, never>(
    counter()
      .where({ next: param('next') })
      .whereRaw('coalesce(??, 0) = cast(? as bigint)', ['retired', param('retired')])
      .update({ next: knex.raw('?? + 1', ['next']) }),
  );
  const setCounter = prepare<{ next: string; retired: string | null }, never>(
    counter().update({ next: param('next'), retired: param('retired') }),
  );
  const findRetired = prepare<{ from: string }, { id: string | null }>(
    knex('retired_ids')
      .where({ kind })
      .where('id', '>=', param('from'))
      .select(knex.raw('cast(min(??) as text) as ??', ['id', 'id'])),
  );
  const addRetired = prepare<{ id: string }, never>(
    knex('retired_ids')
      .insert({ kind, id: param('id') })
      .onConflict()
      .ignore(),
  );

  const start = async (trx: Transaction): Promise<boolean> =>
    (await trx.run(startCounter, {})) === 1;

  const lockedCounter = async (trx: Transaction): Promise<Counter> => {
    let [row] = await trx.all(lock, {});
    if (row === undefined) {
      await start(trx);
      [row] = await trx.all(lock, {});
    }
    if (row === undefined) throw new Error(`There is no counter of ${kind}`);
    return { next: BigInt(row.next), retired: int64Of(row.retired) };
  };

  /** The counter as this process left it; others, or a transaction that failed, may have made it another since. */
  let cachedCounter: Counter | undefined;

  /** Locks the counter and advances it, where it is as it was left; what it was, or undefined. */
  const advancedCounter = async (trx: Transaction): Promise<Counter | undefined> => {
    const known = cachedCounter;
    if (known === undefined) return undefined;
    const { next, retired = 0n } = known;
    const values = { next: next.toString(), retired: retired.toString() };
    return (await trx.run(advance, values)) === 1 ? { ...known } : undefined;
  };

  const firstRetired = async (trx: Transaction, from: bigint): Promise<bigint | undefined> => {
    const [row] = await trx.all(findRetired, { from: from.toString() });
    return int64Of(row?.id);
  };

  /**
   * The counter in a transaction: locked once, and written back before the commit where it is another by then. Most transactions
   * assign one id, and find the counter as it was left: one statement does all of it.
   */
  const counterIn = (trx: Transaction, isToAssign: boolean): Promise<Counter> =>
    trx.memory(lock, async (beforeCommit) => {
      const advanced = isToAssign ? await advancedCounter(trx) : undefined;
      const counter = advanced ?? (await lockedCounter(trx));
      const written = { ...counter };
      if (advanced !== undefined) written.next += 1n;
      beforeCommit.push(async () => {
        const { next, retired } = counter;
        cachedCounter = { next, retired };
        if (next === written.next && retired === written.retired) return;
        await trx.run(setCounter, {
          next: next.toString(),
          retired: retired?.toString() ?? null,
        });
      });
      return counter;
    });

  const assign = async (trx: Transaction, insert: InsertUnder): Promise<bigint> => {
    const counter = await counterIn(trx, true);
    while (true) {
      const id = counter.next;
      counter.next += 1n;
      if (id === counter.retired) counter.retired = await firstRetired(trx, counter.next);
      else if (await insert(id)) return id;
    }
  };

  const tombstoneAhead = async (trx: Transaction, id: bigint): Promise<void> => {
    const counter = await counterIn(trx, false);
    if (id < counter.next) return;
    await trx.run(addRetired, { id: id.toString() });
    if (counter.retired === undefined || id < counter.retired) counter.retired = id;
  };

  return {
    // Counters come before the rows they number.
    lock: `0 ${kind}`,
    start,

    async insert(trx, given, insert) {
      if (given === undefined) return assign(trx, insert);
      return (await insert(given)) ? given : undefined;
    },

    async tombstone(trx, id) {
      // The counter has passed all smaller ids and never returns to them; this is seen without the lock.
      const [passed] = await trx.all(readCounter, {});
      if (passed === undefined || id >= BigInt(passed.next)) await tombstoneAhead(trx, id);
    },
  };
};

const randomBits = 22n;

/** The key that this process made last. */
let last = 0n;

/** 41 bits of milliseconds since 1970 and 22 random ones: no counter to lock, and a place at the end of the table. */
const newKey = (): bigint => {
  const key = (BigInt(Date.now()) << randomBits) | BigInt(randomInt(2 ** 22));
  last = key > last ? key : last + 1n;
  return last;
};

/** A key is taken anew in the unlikely case that it is in use. */
export const unnumberedIds: Ids = {
  lock: '',
  start: async () => true,
  async insert(_trx, _given, insert) {
    let key = newKey();
    while (!(await insert(key))) key = newKey();
    return key;
  },
  tombstone: async () => undefined,
};
