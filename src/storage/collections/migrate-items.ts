/**
 * Applies a function to all items of a collection, or all users, page by page while servers run: a migration that was stopped goes
 * on, and one that is done changes nothing.
 */

import { isPromise } from 'node:util/types';
import { errorMessage } from '../../engine';
import type { Database } from '../database/database';
import type { BroughtText } from './lists/item-pages';
import { labelOf, type StoredItems, type StoredRow } from './stored-items';
import { walkItems } from './walk-items';

/** Makes today's item of a stored one; undefined leaves it as it is. */
export type MigrateItem = (old: object) => object | undefined;

/** Files are not checked by a compiler: an `async` function would make an item of a promise, which has no properties. */
const isItem = (made: unknown): made is object | undefined =>
  made === undefined ||
  (typeof made === 'object' && made !== null && !Array.isArray(made) && !isPromise(made));

/** What the function makes of one item. */
interface Outcome {
  /** What reports call the item. */
  readonly label: string;
  readonly isChanged: boolean;
  readonly brought: BroughtText;
}

/** The function failed, or made what cannot be stored; nothing of the page was changed. */
export class UnusableResult extends Error {}

/**
 * Makes a migration.
 *
 * @param name - of the migration: done once under this name, it is done
 */
export const itemMigration = (
  db: Database,
  items: StoredItems,
  name: string,
  migrate: MigrateItem,
) => {
  const place = `${items.service}/${items.name}`;

  const unusable = (label: string, what: string): Error =>
    new UnusableResult(`${place}/${label}: ${what}`);

  const made = (old: StoredRow, label: string): unknown => {
    try {
      return migrate(items.codec.read(old.document));
    } catch (error) {
      throw unusable(label, `${name} failed: ${errorMessage(error)}`);
    }
  };

  const outcomeOf = (old: StoredRow): Outcome => {
    const label = labelOf(old);
    const item = made(old, label);
    if (!isItem(item)) throw unusable(label, `${name} must return an object, or undefined`);
    if (item === undefined) return { label, isChanged: false, brought: { ...old, problems: [] } };
    const brought = items.bring(old, item);
    return { label, isChanged: brought.document !== old.document, brought };
  };

  const { nextPage, isDone, walkedTo } = walkItems(db, items, {
    name,
    format: '',
    async visit(trx, old) {
      const { label, isChanged, brought } = outcomeOf(old);
      const [problem] = brought.problems;
      if (problem !== undefined) {
        const what = `${problem.path} ${problem.message}`.trim();
        throw unusable(label, `what ${name} makes of it cannot be stored: ${what}`);
      }
      await items.replace(trx, old, brought.document, brought.format);
      return isChanged;
    },
  });

  return {
    /** What is migrated: `SERVICE/COLLECTION` or `SERVICE/users`. */
    place,
    /** Migrates one page, or nothing where all is done. */
    migratePage: nextPage,
    isDone,
    /** What is left to do, and what would become of it; changes nothing. */
    async *outcomes(): AsyncGenerator<Outcome> {
      if (await isDone()) return;
      for await (const old of items.after(await walkedTo())) yield outcomeOf(old);
    },
  };
};
