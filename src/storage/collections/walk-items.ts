/**
 * Goes once through all items of a collection, or all users, a page in each transaction, while servers run. How far it has come is
 * kept in the database, so that a walk that was stopped goes on, and one that is done is not done again.
 */

import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';
import { pieceSize } from './indexes/maintain-indexes';
import type { StoredItems, StoredRow } from './stored-items';

/** What is done once to each item. */
export interface WalkTask {
  /** Of a data migration; empty where items are brought into a format. */
  readonly name: string;
  /** For another format it is done again; empty where it is done once whatever the format. */
  readonly format: string;
  /** Does it to one item; resolves to whether that is another now. May be called more than once. */
  readonly visit: (trx: Transaction, row: StoredRow) => Promise<boolean>;
}

/** One page of a walk. */
interface WalkedPage {
  readonly seen: number;
  readonly changed: number;
  /** Whether there is nothing more to do. */
  readonly isComplete: boolean;
}

/** How far a walk has come: behind the item of this id, in decimal digits. */
interface WalkState {
  readonly format: string;
  readonly walked_to: string | null;
  readonly is_complete: number;
}

const nothing: WalkedPage = { seen: 0, changed: 0, isComplete: true };

/** Makes a walk through what is stored. */
export const walkItems = (
  { knex, prepare, all, transaction }: Database,
  { service, name: collection, lock }: StoredItems,
  { name: task, format, visit }: WalkTask,
) => {
  const key = { service, collection, task };
  const row = () => knex('walks').where(key);
  const find = prepare<Record<string, never>, WalkState>(
    row().select(
      ...['format', 'is_complete'],
      knex.raw('cast(?? as text) as ??', ['walked_to', 'walked_to']),
    ),
  );
  // Changes the row to lock it: at REPEATABLE READ, who waited for a lock alone would go on from what it saw before.
  const touch = prepare<Record<string, never>, never>(
    knex('walks')
      .insert({ ...key, format, is_complete: 0 })
      .onConflict(Object.keys(key))
      .merge({ is_complete: knex.ref('walks.is_complete') }),
  );
  const setState = prepare<{ to: string | null; complete: number }, never>(
    row().update({ format, walked_to: param('to'), is_complete: param('complete') }),
  );
  const isDone = (state: WalkState | undefined): boolean =>
    state?.format === format && state.is_complete === 1;
  /** Once begun, another format means that a server of another document has taken over. */
  let hasBegun = false;

  const walkPage = async (trx: Transaction, after: string | null): Promise<WalkedPage> => {
    const rows = await lock(trx, after);
    let changed = 0;
    for (const one of rows) changed += Number(await visit(trx, one));
    const isComplete = rows.length < pieceSize;
    await trx.run(setState, { to: rows.at(-1)?.id ?? after, complete: Number(isComplete) });
    return { seen: rows.length, changed, isComplete };
  };

  const walk = async (trx: Transaction): Promise<WalkedPage> => {
    await trx.run(touch, {});
    const [state] = await trx.all(find, {});
    if (isDone(state)) return nothing;
    if (state?.format === format) return walkPage(trx, state.walked_to);
    return hasBegun ? nothing : walkPage(trx, null);
  };

  return {
    /** Does one page, or nothing where all is done. */
    async nextPage(): Promise<WalkedPage> {
      // Behind all counters, before all rows of the collection.
      const page = await transaction(walk, `1 ${service}/${collection}/`);
      hasBegun = true;
      return page;
    },
    /** Whether it was done before, by an earlier call or another process. */
    isDone: async (): Promise<boolean> => isDone((await all(find, {}))[0]),
    /** The id behind which it goes on; null where it has not begun. */
    walkedTo: async (): Promise<string | null> => (await all(find, {}))[0]?.walked_to ?? null,
  };
};
