/** Reads outside of transactions: those that are asked for at the same time share a round trip. */

import type { Pool, PoolClient } from 'pg';
import { controlledDelay } from '../../base/controlled-delay';
import { isConnectionError } from '../connections/database-errors';
import type { Statement, Value, Values } from '../sql/statement';
import { pooledSettings } from './connect';
import { isPooled } from './pooler';
import { isPromoted, refusalBy, replayed } from './positions';
import { type SentStatement, Skipped, sendBatch } from './statement-batch';

/** A statement that is to be run for all who have asked for it. */
interface Read {
  readonly sql: string;
  readonly values: readonly Value[];
  /** What a standby must have replayed of the log; see standby.ts. */
  readonly position: bigint;
  readonly rows: Promise<unknown[]>;
  /** When it was asked for; milliseconds of the clock. */
  readonly since: number;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

const newRead = (sql: string, values: readonly Value[], position: bigint): Read => {
  let resolve: Read['resolve'] = () => undefined;
  let reject: Read['reject'] = () => undefined;
  const rows = new Promise<unknown[]>((resolveRows, rejectRows) => {
    resolve = resolveRows;
    reject = rejectRows;
  });
  return { sql, values, position, rows, since: performance.now(), resolve, reject };
};

/** Reads in one batch; a long one makes the others wait for it. */
const mostReads = 64;

/**
 * While so many batches are under way, the next one waits until it is worth its while, or for so many milliseconds: a mix of requests
 * takes a sixth less of the processor's time.
 */
const fewBatches = 2;
const manyReads = 16;
const patience = 2;

/** Reads that wait for a connection. Whoever asks for the same as one of them gets its rows. */
class ReadQueue {
  #reads: Read[] = [];
  #known = new Map<Statement<Values, unknown>, Map<Value, Read>>();

  get size(): number {
    return this.#reads.length;
  }

  get oldest(): Read | undefined {
    return this.#reads[0];
  }

  add(statement: Statement<Values, unknown>, parameters: Values, position: bigint): Read {
    const same = this.#known.get(statement) ?? new Map<Value, Read>();
    const key = statement.key(parameters);
    const known = same.get(key);
    if (known !== undefined && known.position >= position) return known;
    const read = newRead(statement.sql, statement.bind(parameters), position);
    same.set(key, read);
    this.#known.set(statement, same);
    this.#reads.push(read);
    return read;
  }

  /** Takes the oldest ones out. */
  take(count: number): Read[] {
    // Not `clear`: V8 links what a map held to what it holds next. Once one of these is old, none that follows is collected while it is
    // young, with all rows that were read: a third of the processor's time.
    this.#known = new Map();
    return this.#reads.splice(0, count);
  }
}

/** Runs the reads on a connection, and gives it back. Those after one that failed are run anew. */
const runReads = async (
  client: PoolClient,
  reads: readonly Read[],
  isStandby: boolean,
): Promise<void> => {
  const skipped: Read[] = [];
  let isBroken = false;
  let notBegun: unknown;
  let refusal: (read: Read) => Error | undefined = () => undefined;
  const sent: SentStatement[] = reads.map((read) => ({
    sql: read.sql,
    values: read.values,
    resolve({ rows }) {
      const refused = refusal(read);
      if (refused === undefined) read.resolve(rows);
      else read.reject(refused);
    },
    reject(error) {
      isBroken ||= isConnectionError(error);
      if (notBegun !== undefined) read.reject(notBegun);
      else if (error instanceof Skipped) skipped.push(read);
      // Where it is behind, there may not be such a table yet.
      else read.reject(refusal(read) ?? error);
    },
  }));
  // The reads of a batch are one transaction.
  const first = (sql: string, resolve: SentStatement['resolve']): SentStatement => ({
    ...{ sql, values: [], resolve },
    reject(error) {
      notBegun ??= error;
      isBroken ||= isConnectionError(error);
    },
  });
  const settings = first(pooledSettings, () => undefined);
  const asked = first(replayed, ({ rows }) => {
    refusal = refusalBy(rows);
    isBroken ||= isPromoted(rows);
  });
  const begun = [...(isPooled(client) ? [settings] : []), ...(isStandby ? [asked] : [])];
  await sendBatch(client, [...begun, ...sent]);
  if (skipped.length > 0) await runReads(client, skipped, isStandby);
  else client.release(isBroken);
};

const tooLate = (): Error =>
  Object.assign(new Error('Too many reads are waiting'), { code: 'WAITED_TOO_LONG' });

/** Runs a statement that only reads; on a standby, where that has replayed the log up to a position. */
export type ReadFrom = (
  statement: Statement<Values, unknown>,
  parameters: Values,
  position?: bigint,
) => Promise<unknown[]>;

/**
 * Makes the function that reads over the connections of a pool. While all are in use, reads gather.
 *
 * @param isStandby - whether they lead to standbys: reads then reject with Behind where one is behind, and with another error
 *   where a host is no standby
 */
export const readsOver = (pool: Pool, isStandby = false): ReadFrom => {
  const queue = new ReadQueue();
  const delay = controlledDelay(() => performance.now());
  let isScheduled = false;
  /** Batches that were sent and not answered. */
  let underWay = 0;
  /** Whether those that gather will be sent after a while. */
  let isTimed = false;

  /** Refuses the others. */
  const inTime = (reads: readonly Read[]): Read[] =>
    reads.filter(({ since, reject }) => {
      const isLate = delay.isLate(since);
      if (isLate) reject(tooLate());
      return !isLate;
    });

  const runNext = async (): Promise<void> => {
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      for (const { reject } of queue.take(Number.POSITIVE_INFINITY)) reject(error);
      isScheduled = false;
      return;
    }
    delay.observe(performance.now() - (queue.oldest?.since ?? Number.POSITIVE_INFINITY));
    const reads = inTime(queue.take(mostReads));
    isScheduled = false;
    underWay += 1;
    schedule();
    await runReads(client, reads, isStandby);
    underWay -= 1;
    schedule();
  };

  const runSoon = (): void => {
    if (isScheduled || queue.size === 0) return;
    isScheduled = true;
    setImmediate(() => void runNext());
  };

  const schedule = (): void => {
    if (underWay < fewBatches || queue.size >= manyReads) runSoon();
    else if (!isTimed && queue.size > 0) {
      isTimed = true;
      setTimeout(() => {
        isTimed = false;
        runSoon();
      }, patience);
    }
  };

  return (statement, parameters, position = 0n) => {
    const { rows } = queue.add(statement, parameters, position);
    schedule();
    return rows;
  };
};
