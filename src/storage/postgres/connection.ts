/** Connections for transactions. Statements that are asked for at the same time are sent together. */

import type { ClientBase, Pool } from 'pg';
import { type Connection, LastFailed, type WithConnection } from '../connections/database-driver';
import { commitOutcomeUnknown, isConnectionError } from '../connections/database-errors';
import type { Value } from '../sql/statement';
import { pooledSettings } from './connect';
import { isPooled } from './pooler';
import { type SentStatement, Skipped, type StatementResult, sendBatch } from './statement-batch';

/** Sends the statements of one connection: while a batch is under way, those that come wait for the next one. */
const senderOver = (client: ClientBase) => {
  let waiting: SentStatement[] = [];
  let isScheduled = false;

  const sendAll = async (): Promise<void> => {
    const statements = waiting;
    waiting = [];
    await sendBatch(client, statements);
    if (waiting.length > 0) schedule();
    else isScheduled = false;
  };

  const schedule = (): void => {
    isScheduled = true;
    setImmediate(() => void sendAll());
  };

  return (sql: string, values: readonly Value[]): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      waiting.push({ sql, values, resolve, reject });
      if (!isScheduled) schedule();
    });
};

/** What the server says beside its results; the part that is looked at. */
interface Notice {
  readonly routine: string | undefined;
  readonly message: string | undefined;
}

/** The routine that warns where a commit did not wait for its synchronous standbys to the end. */
const standbyWarning = 'SyncRepWaitForLSN';

/**
 * Does what commits. A time limit ends the wait for synchronous standbys, too, and PostgreSQL then confirms what would not survive
 * the loss of the primary, with a warning (PostgreSQL, synchronous_commit).
 */
const commitOn = async <Result>(
  client: ClientBase,
  commit: () => Promise<Result>,
): Promise<Result> => {
  let warning: string | undefined;
  const listen = ({ routine, message }: Notice): void => {
    if (routine === standbyWarning) warning = message;
  };
  client.on('notice', listen);
  const result = await commit().finally(() => client.off('notice', listen));
  if (warning === undefined) return result;
  throw commitOutcomeUnknown(new Error(warning));
};

const connectionOver = (client: ClientBase): Connection => {
  const send = senderOver(client);
  return {
    all: async (sql, values) => (await send(sql, values)).rows,
    run: async (sql, values) => (await send(sql, values)).count,
    async begin() {
      // Goes with the first statement: where it fails, that fails as well.
      send('begin', []).catch(() => undefined);
      if (isPooled(client)) send(pooledSettings, []).catch(() => undefined);
    },
    async commit(last) {
      const [lastOnes, end] = await Promise.allSettled([
        last(),
        commitOn(client, () => send('commit', [])),
      ]);
      if (end.status === 'rejected') {
        if (!(end.reason instanceof Skipped)) throw end.reason;
        throw new LastFailed(lastOnes.status === 'rejected' ? lastOnes.reason : end.reason);
      }
      // A transaction in which a statement failed is rolled back, and that is no error (PostgreSQL, COMMIT).
      const { command } = end.value;
      if (command !== 'COMMIT') throw new Error(`The transaction ended by ${command}`);
    },
    async rollback() {
      await send('rollback', []);
    },
  };
};

/** Lends connections of the pool. One that broke is closed instead of going back. */
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
