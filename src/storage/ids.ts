/** Ids of resources: a given one is kept, a missing one is assigned from a counter, none is ever assigned twice. */

import type { Database } from './database';

/** Inserts the resource under the id; false where the id is in use. */
type InsertUnder = (id: bigint) => Promise<boolean>;

/** The sequence of ids that a service's resources of one table share. */
export const idKind = (service: string, table: string): string => `${service}/${table}`;

/**
 * Starts the counter of a kind; false where it is running already. Of several transactions that try, one succeeds, and
 * the others wait for its end.
 */
export const startCounter = async (trx: Database, kind: string): Promise<boolean> => {
  const row = { name: kind, next: '1' };
  const started = await trx('id_counters')
    .insert(row)
    .onConflict('name')
    .ignore()
    .returning('name');
  return started.length === 1;
};

/** Locks the counter until the transaction ends and answers the id that it would assign next. */
const lockCounter = async (trx: Database, kind: string): Promise<bigint> => {
  await startCounter(trx, kind);
  // The driver reads integers as doubles, which lose digits above 2^53.
  const next = trx.raw('cast(?? as text) as ??', ['next', 'next']);
  const counter = await trx('id_counters').where({ name: kind }).forUpdate().first(next);
  return BigInt(counter.next);
};

const isRetired = async (trx: Database, kind: string, id: bigint): Promise<boolean> =>
  (await trx('retired_ids').where({ kind, id: id.toString() }).first('kind')) !== undefined;

const assignId = async (trx: Database, kind: string, insert: InsertUnder): Promise<bigint> => {
  let id = await lockCounter(trx, kind);
  while ((await isRetired(trx, kind, id)) || !(await insert(id))) id += 1n;
  await trx('id_counters')
    .where({ name: kind })
    .update({ next: (id + 1n).toString() });
  return id;
};

/**
 * Inserts a resource under the given id, or under the next free one of its kind.
 *
 * @param trx - a transaction
 * @param kind - what shares one sequence of ids, as `idKind` names it
 * @returns the id; undefined where the given one is in use
 */
export const insertUnderId = async (
  trx: Database,
  kind: string,
  given: bigint | undefined,
  insert: InsertUnder,
): Promise<bigint | undefined> => {
  if (given === undefined) return assignId(trx, kind, insert);
  return (await insert(given)) ? given : undefined;
};

/**
 * Removes a resource and sees to it that its id is never assigned again.
 *
 * @param trx - a transaction
 * @param remove - false where there is no such resource
 */
export const removeUnderId = async (
  trx: Database,
  kind: string,
  id: bigint,
  remove: () => Promise<boolean>,
): Promise<boolean> => {
  // First the counter, as in assigning: two transactions never wait for each other.
  const next = await lockCounter(trx, kind);
  const removed = await remove();
  // The counter has passed all smaller ids and never returns to them.
  if (removed && id >= next) {
    await trx('retired_ids').insert({ kind, id: id.toString() }).onConflict().ignore();
  }
  return removed;
};
