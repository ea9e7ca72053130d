/** Connections for transactions. Statements that are asked for at the same time are sent together. */

import type { ClientBase, Pool } from 'pg';
import {
  type Connection,
  gathered,
  Skipped,
  type WithConnection,
} from '../connections/database-driver';
import { commitOutcomeUnknown, isConnectionError } from '../connections/database-errors';
import { errorFacts } from '../sql/dialect';
import type { Value } from '../sql/statement';
import { isPooled, pooledSettings } from './connect';
import { ownStatement } from './own-statements';
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

  type Sent = Pick<SentStatement, 'sql' | 'values' | 'rowReader'>;
  const askFor = (statement: Sent): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        if (!isSkipped(error)) failure ??= error;
        reject(isSkipped(error) ? new Skipped(failure ?? error) : error);
      };
      waiting.push({ ...statement, resolve, reject: fail });
      isWanted = true;
      if (!isSending) void sendAll();
    });
  const ask = (sql: string, values: readonly Value[]): Promise<StatementResult> =>
    askFor({ sql, values });

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
      const { rows, count } = await askFor(ownStatement(sql, values));
      return { rows: rows as object[], count };
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

/** Makes the function that lends connections of the pool. One that broke is closed instead of going back. */
export const lendConnections =
  (pool: Pool): WithConnection =>
  async (work) => {
    const client = await pool.connect();
    let isBroken = false;
    try {
      return await work(connectionOver(client));
    } catch (error) {
      isBroken = isConnectionError(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  };
