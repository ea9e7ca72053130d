/** Turns of transactions that decide by what they read. */

import { isPostgres } from '../sql/dialect';
import type { Database, Transaction } from './database';

/**
 * Makes the function with which a transaction begins that takes turns with all others that begin so, in all processes: each reads what
 * those before it have committed. SQLite has one writer anyway; on PostgreSQL two would otherwise read the same at READ COMMITTED, and
 * both change something else for it.
 */
export const transactionTurns = ({
  knex,
  prepare,
}: Database): ((trx: Transaction) => Promise<void>) => {
  if (!isPostgres(knex)) return async () => undefined;
  // Changes the row: at REPEATABLE READ a lock alone would show what was there before.
  const turn = knex('id_counters')
    .insert({ name: 'transactions', next: '1' })
    .onConflict('name')
    .merge({ next: knex.ref('id_counters.next') });
  const lock = prepare<Record<string, never>, never>(turn, ['id_counters']);
  return (trx) => trx.send(lock, {});
};
