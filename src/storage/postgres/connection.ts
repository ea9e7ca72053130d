/** Connections for transactions. Statements that are asked for at the same time are sent together. */

import type { ClientBase, Pool, PoolClient } from 'pg';
import {
  type Connection,
  type DatabaseDriver,
  gathered,
  Skipped,
  type WithConnection,
} from '../connections/database-driver';
import { commitOutcomeUnknown, isConnectionError } from '../connections/database-errors';
import { errorFacts } from '../sql/dialect';
import type { Value } from '../sql/statement';
import { isPooled, pooledSettings } from './connect';
import { onlyReads, ownStatement } from './own-statements';
import { type SentStatement, type StatementResult, sendBatch } from './statement-batch';

/** Checks whether an earlier statement of the transaction failed: `25P02` is in_failed_sql_transaction. */
const isSkipped = (error: unknown): boolean =>
  error instanceof Skipped || errorFacts(error).code === '25P02';

/** Makes the connection of one transaction: while a batch is under way, the statements that come wait for the next one. */
const connectionOver = (client: ClientBase): Connection => {
  let waiting: SentStatement[] = [];
  /** True where the result of any of those is waited for. */
  let isWanted = false;
  let isSending = false;
  let failure: unknown;
  let hasBegun = false;

  const sendAll = async (): Promise<void> => {
    isSending = true;
    while (isWanted) {
      await gathered();
      const statements = waiting;
      waiting = [];
      isWanted = false;
      await sendBatch(client, statements);
    }
    isSending = false;
  };

  const ask = (
    sql: string,
    values: readonly Value[],
    rowReader?: SentStatement['rowReader'],
  ): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        if (!isSkipped(error)) failure ??= error;
        reject(isSkipped(error) ? new Skipped(failure ?? error) : error);
      };
      waiting.push({ sql, values, rowReader, resolve, reject: fail });
      isWanted = true;
      if (!isSending) void sendAll();
    });

  /** Sends a statement with the next one that is asked for. */
  const add = (
    sql: string,
    values: readonly Value[],
    failureOf = (error: unknown): unknown => error,
  ): void => {
    const fail = (error: unknown): void => {
      if (!isSkipped(error)) failure ??= failureOf(error);
    };
    waiting.push({ sql, values, resolve: () => undefined, reject: fail });
  };

  return {
    all: async ({ sql, bind }, parameters) => (await ask(sql, bind(parameters))).rows,
    run: async ({ sql, bind }, parameters) => (await ask(sql, bind(parameters))).count,
    async runOwn(sql, values) {
      // The statements of a batch are one transaction.
      if (!hasBegun && isPooled(client)) add(pooledSettings, []);
      const own = ownStatement(sql, values);
      return ask(own.sql, own.values, own.rowReader);
    },
    async send({ sql, bind }, parameters, failureOf) {
      add(sql, bind(parameters), failureOf);
    },
    async begin() {
      hasBegun = true;
      add('begin', []);
      if (isPooled(client)) add(pooledSettings, []);
    },
    async commit() {
      // A time limit ends the wait for synchronous standbys, too, and PostgreSQL then confirms what would not survive the loss of the
      // primary, with a warning (PostgreSQL, synchronous_commit).
      let warning: string | undefined;
      const listen = (notice: Readonly<Record<'routine' | 'message', string | undefined>>) => {
        if (notice.routine === 'SyncRepWaitForLSN') warning = notice.message;
      };
      client.on('notice', listen);
      const { command } = await ask('commit', []).finally(() => client.off('notice', listen));
      if (warning !== undefined) throw commitOutcomeUnknown(new Error(warning));
      if (command === 'COMMIT') return;
      // A transaction in which a statement failed is rolled back, and that is no error (PostgreSQL, COMMIT).
      throw new Skipped(failure ?? new Error(`The transaction ended by ${command}`));
    },
    async rollback() {
      waiting = [];
      await ask('rollback', []);
    },
  };
};

/** Lends a connection of the pool. One that broke is closed instead of going back. */
const withClient = async <Result>(
  pool: Pool,
  work: (client: PoolClient, connection: Connection) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  let isBroken = false;
  try {
    return await work(client, connectionOver(client));
  } catch (error) {
    isBroken = isConnectionError(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
};

/** Makes the function that lends connections of the pool. */
export const lendConnections =
  (pool: Pool): WithConnection =>
  (work) =>
    withClient(pool, (_, connection) => work(connection));

/**
 * Makes what runs statements that read, each on a connection of its own: others' reads do not wait for a slow one. It gives undefined for
 * others.
 */
export const ownReads =
  (pool: Pool): DatabaseDriver['queryOwn'] =>
  (sql, values, signal) => {
    if (!onlyReads(sql)) return undefined;
    return withClient(pool, async (client, { runOwn }) => {
      signal?.throwIfAborted();
      let cancelling: Promise<unknown> = Promise.resolve();
      const cancel = () => {
        const pid = Reflect.get(client, 'processID');
        // Where that fails, the limit of time ends it.
        cancelling = pool.query('select pg_cancel_backend($1)', [pid]).catch(() => undefined);
      };
      // A pooler knows no process.
      if (!isPooled(client)) signal?.addEventListener('abort', cancel);
      try {
        return await runOwn(sql, values);
      } finally {
        signal?.removeEventListener('abort', cancel);
        // Later it would end another's statement.
        await cancelling;
      }
    });
  };
