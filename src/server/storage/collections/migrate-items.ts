/**
 * Applies a function to all items of a collection, page by page while servers run. How far it has come is kept in the database under
 * the migration's name, so that one that was stopped goes on, and one that is done changes nothing.
 */

import { errorMessage } from '../../../engine';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';
import type { CollectionSchema } from './collection';
import { type FittedCollection, type ItemRow, storedItems } from './fit-items';
import { pieceSize } from './indexes/maintain-indexes';
import type { BroughtText } from './lists/item-pages';

/** Makes today's item of a stored one; undefined leaves it as it is. */
export type MigrateItem = (old: object) => object | undefined;

/** A collection whose items are to be migrated. */
export type MigratedCollection = FittedCollection<object> & Pick<CollectionSchema<object>, 'hasId'>;

/** What the function makes of one item. */
interface Outcome {
  readonly id: string;
  readonly isChanged: boolean;
  readonly brought: BroughtText;
}

/** One page of a migration. */
export interface MigratedPage {
  readonly seen: number;
  readonly changed: number;
  /** Whether there is nothing more to do. */
  readonly isComplete: boolean;
}

/** The function failed, or made what does not fit; nothing of the page was changed. */
export class UnusableResult extends Error {}

interface Progress {
  readonly migrated_to: string | null;
  readonly is_complete: number;
}

/**
 * Makes a migration of a collection.
 *
 * @param name - of the migration: done once under this name, it is done
 */
export const itemMigration = (
  db: Database,
  collection: MigratedCollection,
  name: string,
  migrate: MigrateItem,
) => {
  const { knex, prepare, transaction } = db;
  const { service, name: collectionName, key, codec, hasId } = collection;
  const items = storedItems(db, collection);
  const row = () => knex('data_migrations').where({ collection: key, name });
  const begin = prepare<Record<string, never>, never>(
    knex('data_migrations')
      .insert({ collection: key, name, is_complete: 0 })
      .onConflict(['collection', 'name'])
      .ignore(),
  );
  // Changes the row to lock it: at REPEATABLE READ, who waited for a lock alone would go on from what it saw before.
  const touch = prepare<Record<string, never>, never>(
    row().update({ is_complete: knex.ref('is_complete') }),
  );
  const find = prepare<Record<string, never>, Progress>(
    row().select(knex.raw('cast(?? as text) as ??', ['migrated_to', 'migrated_to']), 'is_complete'),
  );
  const setProgress = prepare<{ to: string | null; complete: number }, never>(
    row().update({ migrated_to: param('to'), is_complete: param('complete') }),
  );

  const made = ({ id, document }: ItemRow): object | undefined => {
    try {
      return migrate(codec.read(document));
    } catch (error) {
      const reason = errorMessage(error);
      throw new UnusableResult(`${service}/${collectionName}/${id}: ${name} failed: ${reason}`);
    }
  };

  const outcomeOf = (old: ItemRow): Outcome => {
    const { id } = old;
    const item = made(old);
    if (item === undefined) return { id, isChanged: false, brought: { ...old, problems: [] } };
    const identified = hasId ? Object.assign({ id: BigInt(id) }, item, { id: BigInt(id) }) : item;
    const brought = codec.bring(codec.write(identified));
    return { id, isChanged: brought.document !== old.document, brought };
  };

  const apply = async (trx: Transaction, old: ItemRow): Promise<boolean> => {
    const { id, isChanged, brought } = outcomeOf(old);
    const [problem] = brought.problems;
    if (problem !== undefined) {
      const what = `${problem.path} ${problem.message}`.trim();
      throw new UnusableResult(
        `${service}/${collectionName}/${id}: what ${name} makes of it does not fit the document: ${what}`,
      );
    }
    await items.replace(trx, old, brought.document, brought.format);
    return isChanged;
  };

  return {
    /** Migrates one page, or nothing where all is done. */
    migratePage: (): Promise<MigratedPage> =>
      transaction(async (trx) => {
        await trx.run(begin, {});
        await trx.run(touch, {});
        const [{ migrated_to: after, is_complete } = { migrated_to: null, is_complete: 0 }] =
          await trx.all(find, {});
        if (is_complete === 1) return { seen: 0, changed: 0, isComplete: true };
        const rows = await items.lock(trx, after);
        let changed = 0;
        for (const old of rows) changed += Number(await apply(trx, old));
        const isComplete = rows.length < pieceSize;
        await trx.run(setProgress, {
          to: rows.at(-1)?.id ?? after,
          complete: Number(isComplete),
        });
        return { seen: rows.length, changed, isComplete };
      }, `1 ${service}/${collectionName}/`),

    /** Whether it was done before, by an earlier call or another process. */
    isDone: async (): Promise<boolean> => (await db.all(find, {}))[0]?.is_complete === 1,

    /** What is left to do, and what would become of it; changes nothing. */
    async *outcomes(): AsyncGenerator<Outcome> {
      const [progress] = await db.all(find, {});
      if (progress?.is_complete === 1) return;
      for await (const old of items.after(progress?.migrated_to ?? null)) yield outcomeOf(old);
    },
  };
};
