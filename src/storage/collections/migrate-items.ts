/**
 * Applies a function once to all items of a collection, or all users: page by page, each in a transaction for which changes of
 * these items wait. How far it has come is stored, so that a migration that was stopped goes on, and one that is done changes
 * nothing.
 */

import { isPromise } from 'node:util/types';
import { errorMessage } from '../../base/error-message';
import { type Database, lockName, type Transaction } from '../database/database';
import { param } from '../sql/statement';
import type { ConvertedText } from './item-schema';
import { pageSize, type StoredItems, type StoredRow } from './stored-items';

/** Makes today's item of a stored one; undefined leaves it as it is. */
export type MigrateStoredItem = (old: object) => object | undefined;

/** Makes the migration that gives a property another name, in the items that have it and nothing under the new one. */
export const renaming =
  (from: string, to: string): MigrateStoredItem =>
  (old) => {
    const { [from]: value, ...others } = old as Readonly<Record<string, unknown>>;
    return value === undefined || Object.hasOwn(old, to) ? undefined : { ...others, [to]: value };
  };

interface MigratedItem {
  /** The name of the item in reports. */
  readonly label: string;
  /** Undefined where the item is left as it is. */
  readonly converted: ConvertedText | undefined;
  readonly isChanged: boolean;
}

/** The progress of a migration: up to the item of this id, in decimal digits. */
interface Progress {
  readonly walked_to: string | null;
  readonly is_complete: number;
}

/**
 * Makes a migration.
 *
 * @param task - the name of the migration: it is done once under this name
 */
export const itemMigration = (
  { knex, prepare, all, transaction }: Database,
  items: StoredItems,
  task: string,
  migrate: MigrateStoredItem,
) => {
  const { service, name: collection } = items;
  const place = `${service}/${collection}`;
  const walk = { service, collection, task };
  const tables = ['walks'];
  const row = () => knex('walks').where(walk);
  const findProgress = prepare<Record<string, never>, Progress>(
    row().select('is_complete', knex.raw('cast(?? as text) as ??', ['walked_to', 'walked_to'])),
  );
  // Changes the row to lock it: at REPEATABLE READ a lock alone would show what was there before another process changed it.
  const lockProgress = prepare<Record<string, never>, never>(
    knex('walks')
      .insert({ ...walk, is_complete: 0 })
      .onConflict(Object.keys(walk))
      .merge({ is_complete: knex.ref('walks.is_complete') }),
    tables,
  );
  const setProgress = prepare<{ to: string | null; complete: number }, never>(
    row().update({ walked_to: param('to'), is_complete: param('complete') }),
    tables,
  );

  /** Makes the error of a function that failed, or made what cannot be stored; nothing of the page is changed. */
  const unusable = (label: string, what: string): Error => new Error(`${place}/${label}: ${what}`);

  const outcomeOf = (old: StoredRow): MigratedItem => {
    const label = items.labelOf(old);
    let item: unknown;
    try {
      item = migrate(items.codec.read(old.document));
    } catch (error) {
      throw unusable(label, `${task} failed: ${errorMessage(error)}`);
    }
    if (item === undefined) return { label, converted: undefined, isChanged: false };
    // Files are not checked by a compiler: an `async` function would make an item of a promise, which has no properties.
    if (typeof item !== 'object' || item === null || Array.isArray(item) || isPromise(item)) {
      throw unusable(label, `${task} must return an object, or undefined`);
    }
    const converted = items.convert(old, item);
    return { label, converted, isChanged: converted.document !== old.document };
  };

  const migratePage = async (trx: Transaction) => {
    await trx.run(lockProgress, {});
    const [progress] = await trx.all(findProgress, {});
    if (progress?.is_complete === 1) return { seen: 0, changed: 0, isComplete: true };
    const after = progress?.walked_to ?? null;
    const rows = await items.lock(trx, after);
    let changed = 0;
    for (const old of rows) {
      const { label, converted, isChanged } = outcomeOf(old);
      const [problem] = converted?.problems ?? [];
      if (problem !== undefined) {
        const what = `${problem.path} ${problem.message}`.trim();
        throw unusable(label, `what ${task} makes of it cannot be stored: ${what}`);
      }
      if (converted !== undefined) await items.replace(trx, old, converted.document);
      changed += Number(isChanged);
    }
    const isComplete = rows.length < pageSize;
    await trx.run(setProgress, { to: rows.at(-1)?.id ?? after, complete: Number(isComplete) });
    return { seen: rows.length, changed, isComplete };
  };

  const progressNow = async (): Promise<Progress | undefined> => (await all(findProgress, {}))[0];

  return {
    /** The place that is migrated: `SERVICE/COLLECTION` or `SERVICE/users`. */
    place,
    task,
    /** Migrates one page, or nothing where all is done; tells whether nothing more is to be done. */
    // Before all rows of the collection.
    migratePage: () => transaction(migratePage, lockName.row(`${place}/`)),
    /** Tells whether it was done before, by an earlier call or another process. */
    isDone: async (): Promise<boolean> => (await progressNow())?.is_complete === 1,
    /** Finds what is left to do, and what would become of it; changes nothing. */
    async *outcomes(): AsyncGenerator<MigratedItem> {
      const progress = await progressNow();
      if (progress?.is_complete === 1) return;
      for await (const old of items.after(progress?.walked_to ?? null)) yield outcomeOf(old);
    },
  };
};
