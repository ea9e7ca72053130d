/** An index of a collection, and whether it holds all items yet: one that was declared anew is filled while the service runs. */

import { memoize } from '../../../engine';
import { DatabaseUnavailable } from '../../connections/database-errors';
import type { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { searchKey } from '../../sql/search-key';
import { param } from '../../sql/statement';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Adds the values at a path, from its step `at` on. */
const addValues = (
  values: Set<string>,
  value: unknown,
  path: readonly string[],
  at: number,
): void => {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) addValues(values, element, path, at);
    return;
  }
  const name = path[at];
  if (name === undefined) values.add(searchKey(String(value)));
  else if (isObject(value)) addValues(values, value[name], path, at + 1);
};

const stepsOf = memoize((path: string): readonly string[] => path.split('.'), { max: 1000 });

const none: ReadonlySet<string> = new Set();

/**
 * The values at a path (`status`, `tags.name`) as indexes store them, each once. An absent field and null have none.
 *
 * @param item - undefined where there is no item
 */
export const fieldValues = (item: unknown, path: string): ReadonlySet<string> => {
  if (item === undefined) return none;
  const values = new Set<string>();
  addValues(values, item, stepsOf(path), 0);
  return values;
};

/** `lookup`: items are found by the values of a field; `count`: its values are counted. */
type IndexKind = 'lookup' | 'count';

/** A row of the table `collection_indexes`. */
export interface IndexRow {
  readonly key: number;
  readonly kind: IndexKind;
  readonly path: string;
}

export interface CollectionIndex extends IndexRow {
  /** Whether it holds the item under the id by now; one that is being filled holds those up to some id. */
  holds(trx: Transaction, id: bigint): Promise<boolean>;
  /** Whether it holds all items. Once it does, the database is not asked again. */
  isComplete(): Promise<boolean>;
  /** @throws DatabaseUnavailable while it is being filled */
  requireComplete(): Promise<void>;
}

/** How far an index is filled: up to the item of this id, in decimal digits. */
interface FillState {
  readonly filled_to: string | null;
  readonly is_complete: number;
}

/** Tells how far indexes are filled, by their keys. */
export const fillStates = ({ knex, prepare, all }: Database) => {
  const row = () => knex('collection_indexes').where({ key: param('key') });
  const find = prepare<{ key: number }, FillState>(
    row().select(knex.raw('cast(?? as text) as ??', ['filled_to', 'filled_to']), 'is_complete'),
  );
  const touch = prepare<{ key: number }, never>(
    row().update({ is_complete: knex.ref('is_complete') }),
  );
  return {
    /** Outside of any transaction: what one has done and not committed may be undone. */
    read: async (key: number): Promise<FillState | undefined> => (await all(find, { key }))[0],

    readIn: async (trx: Transaction, key: number): Promise<FillState | undefined> =>
      (await trx.all(find, { key }))[0],

    /**
     * Keeps others from filling on. Locks the row by changing it: at REPEATABLE READ, who waited for a lock alone would fill on
     * from what it saw before.
     */
    async lock(trx: Transaction, key: number): Promise<FillState | undefined> {
      await trx.run(touch, { key });
      return (await trx.all(find, { key }))[0];
    },
  };
};

/** Makes what watches an index. Once it is complete, nothing more is asked. */
export const collectionIndex = (db: Database, { key, kind, path }: IndexRow): CollectionIndex => {
  const states = fillStates(db);
  let isKnownComplete = false;

  const isComplete = async (): Promise<boolean> => {
    isKnownComplete ||= (await states.read(key))?.is_complete === 1;
    return isKnownComplete;
  };

  const holdsById = async (trx: Transaction, id: bigint): Promise<boolean> => {
    // Not over another connection: all may be taken by those who wait for what this transaction has locked.
    if ((await states.readIn(trx, key))?.is_complete === 1) {
      // Remembered when it is seen outside, where it cannot be undone any more; nobody waits for that, and the next one tries again.
      isComplete().catch(() => false);
      return true;
    }
    const state = await states.lock(trx, key);
    if (state === undefined || state.is_complete === 1) return state !== undefined;
    return state.filled_to !== null && id <= BigInt(state.filled_to);
  };

  return {
    key,
    kind,
    path,
    isComplete,
    holds: async (trx, id) => isKnownComplete || holdsById(trx, id),
    async requireComplete() {
      if (await isComplete()) return;
      const cause = new Error(`The index of ${path} is being filled`);
      throw new DatabaseUnavailable(
        'The search is being prepared; try again in a moment',
        cause,
        2,
      );
    },
  };
};
