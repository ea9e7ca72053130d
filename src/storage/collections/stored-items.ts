/** What a service stores under one schema, items or users, read and written page by page behind the requests. */

import type { Knex } from 'knex';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';
import type { CollectionSchema } from './collection';
import type { CollectionIndex } from './indexes/collection-index';
import { pieceSize } from './indexes/maintain-indexes';
import { collectionIndexes } from './indexes/update-indexes';
import {
  type BroughtText,
  type DocumentRow,
  idAsText,
  itemPages,
  type TextCodec,
} from './lists/item-pages';
import { firstId, type IdRow, lastId } from './lists/pages';

/** An item or a user as it is stored. A user's password and its hash are no part of it. */
export interface StoredRow extends DocumentRow, IdRow {
  /** Of a user; null where the user has none. */
  readonly username?: string | null;
}

/** What reports call it: an item by its id; a user by the name in quotation marks, or by the id where there is none. */
export const labelOf = ({ id, username }: StoredRow): string =>
  typeof username === 'string' ? JSON.stringify(username) : id;

/** All items of a collection, or all users of a service. */
export interface StoredItems {
  readonly service: string;
  /** The collection, or `users`. */
  readonly name: string;
  readonly codec: TextCodec<object>;
  /** All behind an id, read page by page. */
  after(id: string | null): AsyncGenerator<StoredRow>;
  /** Some behind an id, which nobody else changes meanwhile; none at the end. */
  lock(trx: Transaction, after: string | null): Promise<readonly StoredRow[]>;
  replace(trx: Transaction, old: StoredRow, document: string, format: string): Promise<void>;
  /** What is stored where a data migration makes `item` of a row; its problems say why it cannot be. */
  bring(old: StoredRow, item: object): BroughtText;
  /** How many are marked, by the index of the marks: it takes as long as there are marks. */
  countMisfits(): Promise<number>;
}

/** What is needed of the schema. */
export type StoredSchema = Pick<CollectionSchema<object>, 'codec' | 'hasId'>;

/** What the rows of items and of users have in common. */
interface StoredTable extends StoredSchema {
  readonly table: 'items' | 'users';
  /** Which rows of the table. */
  readonly where: Readonly<Record<string, string | number>>;
  /** Columns beside those of every row. */
  readonly columns: readonly string[];
}

/** Reads and writes the rows of items or of users. */
export const storedRows = (
  { knex, prepare, all }: Database,
  { table, where, columns, codec, hasId }: StoredTable,
): Omit<StoredItems, 'service' | 'name'> => {
  const rows = (): Knex.QueryBuilder => knex(table).where(where);
  const page = () =>
    rows()
      .where('id', '>=', param('from'))
      .orderBy(`${table}.id`)
      .limit(pieceSize)
      .select(idAsText(knex), 'document', 'format', ...columns);
  const find = prepare<{ from: string }, StoredRow>(page());
  const lock = prepare<{ from: string }, StoredRow>(page().forUpdate());
  const update = prepare<Readonly<Record<'id' | 'document' | 'format', string>>, never>(
    rows()
      .where({ id: param('id') })
      .update({ document: param('document'), format: param('format') }),
  );
  const count = prepare<Record<string, never>, { count: number | string }>(
    rows()
      .where({ format: codec.misfit })
      .whereRaw("substr(format, 1, 1) = '!'")
      .count({ count: '*' }),
  );
  /** Where to go on behind a row; behind the greatest int64 there is none. */
  const behind = (id: string | null): string =>
    id === null ? firstId : (BigInt(id) + 1n).toString();
  return {
    codec,
    async *after(start) {
      for (let last = start; last !== lastId; ) {
        const found = await all(find, { from: behind(last) });
        yield* found;
        if (found.length < pieceSize) return;
        last = found.at(-1)?.id ?? lastId;
      }
    },
    lock: async (trx, after) => (after === lastId ? [] : trx.all(lock, { from: behind(after) })),
    async replace(trx, old, document, format) {
      if (old.document === document && old.format === format) return;
      await trx.run(update, { id: old.id, document, format });
    },
    bring({ id }, item) {
      const identified = hasId ? Object.assign({ id: BigInt(id) }, item, { id: BigInt(id) }) : item;
      return codec.bring(codec.write(identified));
    },
    countMisfits: async () => Number((await all(count, {}))[0]?.count ?? 0),
  };
};

/** A collection whose items are read and written page by page. */
interface WalkedCollection extends StoredSchema {
  readonly service: string;
  readonly name: string;
  /** Its row in the table `collections`. */
  readonly key: number;
  readonly indexes: readonly CollectionIndex[];
}

/** The items of a collection, whose indexes are written with them. */
export const storedItems = (
  db: Database,
  { service, name, key, indexes, codec, hasId }: WalkedCollection,
): StoredItems => {
  const { updateIndexes } = collectionIndexes(db, key, indexes, itemPages(db, key, codec));
  const where = { collection: key };
  const rows = storedRows(db, { table: 'items', where, columns: [], codec, hasId });
  return {
    ...{ service, name, ...rows },
    async replace(trx, old, document, format) {
      await rows.replace(trx, old, document, format);
      if (old.document === document) return;
      const [before, after] = [codec.read(old.document), codec.read(document)];
      await updateIndexes(trx, BigInt(old.id), before, after);
    },
  };
};
