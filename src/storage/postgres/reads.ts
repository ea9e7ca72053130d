/** Reads outside of transactions: those that are asked for at the same time share a round trip. */

import type { Pool, PoolClient } from 'pg';
import {
  type AnyStatement,
  type DatabaseDriver,
  gathered,
  Skipped,
} from '../connections/database-driver';
import { isConnectionError } from '../connections/database-errors';
import { queueLoad, type Watch } from '../connections/load';
import type { Value, Values } from '../sql/statement';
import { isPooled, pooledSettings } from './connect';
import { type SentStatement, type StatementResult, sendBatch } from './statement-batch';

/** A statement whose rows go to all callers that have asked for it. */
interface Read extends SentStatement {
  readonly rows: Promise<unknown[]>;
  /** The time when it was asked for; milliseconds of the clock. */
  readonly since: number;
}

/** Runs the reads on a connection, and gives it back. Those after one that failed are run again. */
const runReads = async (client: PoolClient, reads: readonly Read[]): Promise<void> => {
  const skipped: Read[] = [];
  let isBroken = false;
  const sent = reads.map(
    (read): SentStatement => ({
      sql: read.sql,
      values: read.values,
      resolve: read.resolve,
      reject(error) {
        isBroken ||= isConnectionError(error);
        if (!(error instanceof Skipped)) read.reject(error);
        else if (isBroken) read.reject(error.cause);
        else skipped.push(read);
      },
    }),
  );
  // The reads of a batch are one transaction.
  const settings: SentStatement = {
    sql: pooledSettings,
    values: [],
    resolve: () => undefined,
    reject(error) {
      isBroken = true;
      for (const { reject } of reads) reject(error);
    },
  };
  await sendBatch(client, isPooled(client) ? [settings, ...sent] : sent);
  if (skipped.length > 0) await runReads(client, skipped);
  else client.release(isBroken);
};

/** Makes the function that reads over the connections of a pool. */
export const readsOver = (pool: Pool, watch?: Watch): DatabaseDriver['query'] => {
  // Batches that are sent and not answered. What comes meanwhile gathers: with more of them, requests of 64 connections took three times
  // as many batches.
  const mostBatches = 2;
  // Reads in one batch; a long one makes the others wait for it.
  const mostReads = 64;
  const waiting: Read[] = [];
  let waitingFor = new Map<AnyStatement, Map<Value, Read>>();
  watch?.('reads', () => queueLoad(waiting, performance.now()));
  let running = 0;
  /** True while the next batch waits for its connection. */
  let isTaking = false;

  /** Adds a read; the same one is asked for once. */
  const add = (statement: AnyStatement, parameters: Values): Read => {
    const same = waitingFor.get(statement) ?? new Map<Value, Read>();
    const key = statement.key(parameters);
    const known = same.get(key);
    if (known !== undefined) return known;
    let resolve: Read['resolve'] = () => undefined;
    let reject: Read['reject'] = () => undefined;
    const result = new Promise<StatementResult>((resolveResult, rejectResult) => {
      resolve = resolveResult;
      reject = rejectResult;
    });
    const { sql, bind } = statement;
    const rows = result.then((answer) => answer.rows);
    const since = performance.now();
    const read = { sql, values: bind(parameters), rows, since, resolve, reject };
    same.set(key, read);
    waitingFor.set(statement, same);
    waiting.push(read);
    return read;
  };

  const take = (count: number): Read[] => {
    // Not `clear`: V8 links what a map held to what it holds next. Once one of these is old, none that follows is collected while it is
    // young, with all rows that were read: a third of the processor's time.
    waitingFor = new Map();
    return waiting.splice(0, count);
  };

  const runNext = async (): Promise<void> => {
    isTaking = true;
    running += 1;
    await gathered();
    const client = await pool.connect().catch((error: unknown) => {
      for (const { reject } of take(Number.POSITIVE_INFINITY)) reject(error);
    });
    // Milliseconds. What has waited longer when its turn comes is refused; another host of the database is found sooner.
    const longestWait = 5000;
    const now = performance.now();
    const reads = take(mostReads).filter(({ since, reject }) => {
      if (now - since <= longestWait) return true;
      const code = 'WAITED_TOO_LONG';
      reject(Object.assign(new Error('Too many reads are waiting'), { code }));
      return false;
    });
    isTaking = false;
    schedule();
    if (client) await runReads(client, reads);
    running -= 1;
    schedule();
  };

  const schedule = (): void => {
    if (!isTaking && running < mostBatches && waiting.length > 0) void runNext();
  };

  return (statement, parameters) => {
    const { rows } = add(statement, parameters);
    schedule();
    return rows;
  };
};
