/** Ids of resources: a given one is used, a missing one is assigned from a counter, none is ever assigned twice. */

import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { counterStatements } from './counter-statements';

/** Inserts the resource under the id; false where the id is in use. */
type InsertUnder = (id: bigint) => Promise<boolean>;

/** The ids of resources that share one sequence. */
export interface Ids {
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
  /** Whether the counter has passed the id, and so never assigns it. */
  hasPassed(trx: Transaction, id: bigint): Promise<boolean>;
  /** Sees to it that the id, which the counter has not passed, is never assigned. */
  retire(trx: Transaction, id: bigint): Promise<void>;
  /** Sees to it that an id is never assigned, whether or not the counter has passed it. */
  giveUp(trx: Transaction, id: bigint): Promise<void>;
}

/** A counter that is locked. */
interface Counter {
  /** The id to be assigned next. */
  next: bigint;
  /** The first of those that are never assigned again, from `next` on. */
  retired: bigint | undefined;
}

const int64Of = (text: string | null | undefined): bigint | undefined =>
  text === null || text === undefined ? undefined : BigInt(text);

/**
 * The ids that a service's resources of one table share.
 *
 * @param retiresUnlocked - whether processes take ids in advance (id-blocks.ts): those that are given are retired then, too, and
 *   without the lock of the counter
 */
export const idsOf = (
  db: Database,
  service: string,
  table: string,
  retiresUnlocked = false,
): Ids => {
  const kind = `${service}/${table}`;
  const statements = counterStatements(db, kind);
  const { startCounter, readCounter, lock, advance, setCounter, findRetired, addRetired } =
    statements;

  const start = async (trx: Transaction): Promise<boolean> =>
    (await trx.run(startCounter, {})) === 1;

  /** The counter as this process left it; others, or a transaction that failed, may have made it another since. */
  let cachedCounter: Counter | undefined;

  /** Locks the counter and advances it, where it is as it was left; what it was, or undefined. */
  const advancedCounter = async (trx: Transaction): Promise<Counter | undefined> => {
    const known = cachedCounter;
    if (known === undefined || retiresUnlocked) return undefined;
    const { next, retired = 0n } = known;
    const values = { next: next.toString(), retired: retired.toString() };
    return (await trx.run(advance, values)) === 1 ? { ...known } : undefined;
  };

  const writeCounter = async (trx: Transaction, { next, retired }: Counter): Promise<void> => {
    await trx.run(setCounter, { next: next.toString(), retired: retired?.toString() ?? null });
  };

  const firstRetired = async (trx: Transaction, from: bigint): Promise<bigint | undefined> => {
    const [row] = await trx.all(findRetired, { from: from.toString() });
    return int64Of(row?.id);
  };

  /**
   * Where this process has not locked it yet, its row may not say which id is retired: what was copied from PostgreSQL has that in the
   * table of retired ids alone.
   */
  const lockedCounter = async (trx: Transaction): Promise<Counter> => {
    let [row] = await trx.all(lock, {});
    if (row === undefined) {
      await start(trx);
      [row] = await trx.all(lock, {});
    }
    if (row === undefined) throw new Error(`There is no counter of ${kind}`);
    const next = BigInt(row.next);
    if (cachedCounter !== undefined && !retiresUnlocked)
      return { next, retired: int64Of(row.retired) };
    const retired = await firstRetired(trx, next);
    if (retired !== int64Of(row.retired)) await writeCounter(trx, { next, retired });
    return { next, retired };
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
        await writeCounter(trx, { next, retired });
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

  const hasPassed = async (trx: Transaction, id: bigint): Promise<boolean> => {
    // It never returns to smaller ids; this is seen without the lock.
    const [counter] = await trx.all(readCounter, {});
    return counter !== undefined && id < BigInt(counter.next);
  };

  const retire = async (trx: Transaction, id: bigint): Promise<void> => {
    if (retiresUnlocked) {
      await trx.send(addRetired, { id: id.toString() });
      return;
    }
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
      if (!(await insert(given))) return undefined;
      // Some process may have it in the block that it took.
      if (retiresUnlocked) await retire(trx, given);
      return given;
    },

    hasPassed,
    retire,

    async giveUp(trx, id) {
      if (!(await hasPassed(trx, id))) await retire(trx, id);
    },
  };
};
