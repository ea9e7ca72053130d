/**
 * Lists and counts from a standby. Each asks the primary for the position of its log, and is read from a standby that has replayed
 * the log so far: whatever anybody was told of before is in it.
 */

import type { Pool } from 'pg';
import type { DatabaseDriver, StandbyReads } from '../connections/database-driver';
import { classifyError } from '../connections/database-errors';
import { errorFacts } from '../sql/dialect';
import type { Statement, Values } from '../sql/statement';
import { poolOver, standbyLimits } from './connect';
import { Behind, positionOf } from './positions';
import { type ReadFrom, readsOver } from './reads';

/** Milliseconds for which a standby that has failed is left alone. */
const rest = 10_000;

/**
 * A commit is on the disk before anybody is told of it, so that it is at this position or before. Of the name of the log's file, the first
 * eight digits are the timeline.
 */
const flushed: Statement<Values, { readonly position: string }> = {
  sql: `select ${positionOf(
    `('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::bigint`,
    'pg_current_wal_flush_lsn()',
  )} as position`,
  bind: () => [],
  key: () => '',
};

/** Whether others may do better: replay was in the way of this read, or more were asked for than it can do. */
const isOfRead = (error: unknown): boolean =>
  classifyError(error) === 'conflict' || errorFacts(error).code === 'WAITED_TOO_LONG';

/** Tells whether to ask a standby: of those that ask while it fails, one in each rest, so that few wait for it in vain. */
const healthOf = (onFailure: StandbyReads['onFailure']) => {
  let isFailing = false;
  let nextTry = 0;
  return {
    mayAsk(): boolean {
      if (!isFailing) return true;
      if (performance.now() < nextTry) return false;
      nextTry = performance.now() + rest;
      return true;
    },
    answered(): void {
      isFailing = false;
    },
    failed(error: unknown): void {
      if (error instanceof Behind) isFailing = false;
      if (error instanceof Behind || isOfRead(error)) return;
      nextTry = performance.now() + rest;
      if (!isFailing) onFailure?.(error);
      isFailing = true;
    },
  };
};

const openPool = (url: string, connections: number): Pool => {
  try {
    return poolOver(url, connections, standbyLimits);
  } catch (error) {
    throw new Error(`in the URL of the standby, ${errorFacts(error).message}`, { cause: error });
  }
};

/**
 * Opens a pool of connections to a standby. It need not be there: while it does not answer, the primary is read.
 *
 * @param primary - reads from the primary
 * @throws Error of a part of a sentence where its URL cannot be used
 */
export const openStandby = (
  primary: ReadFrom,
  { url, onFailure }: StandbyReads,
  connections: number,
) => {
  const pool = openPool(url, connections);
  const standby = readsOver(pool, true);
  const health = healthOf(onFailure);

  /** Undefined where the primary does not say; the reads, which go there then, say why. */
  const positionNow = async (): Promise<bigint | undefined> => {
    try {
      const [row] = (await primary(flushed, {})) as { readonly position: string }[];
      return row && BigInt(row.position);
    } catch {
      return undefined;
    }
  };

  const read: ReadFrom = async (statement, parameters, position) => {
    if (!health.mayAsk()) return primary(statement, parameters);
    try {
      const rows = await standby(statement, parameters, position);
      health.answered();
      return rows;
    } catch (error) {
      health.failed(error);
      return primary(statement, parameters);
    }
  };

  const begin = (): DatabaseDriver['query'] => {
    let begun: Promise<bigint | undefined> | undefined;
    return async (statement, parameters) => {
      begun ??= positionNow();
      const position = await begun;
      return (position === undefined ? primary : read)(statement, parameters, position);
    };
  };
  return { begin, close: () => pool.end() };
};
