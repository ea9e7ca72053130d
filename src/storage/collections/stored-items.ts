/** All items of a collection, or all users of a service, read and written page by page: for the checks and migrations of data. */

import type { Knex } from 'knex';
import type { Database, Transaction } from '../database/database';
import { param, type Values } from '../sql/statement';
import type { CollectionParts } from './collection';
import { type CollectionIndex, collectionIndexes } from './collection-indexes';
import { identified, textIdOf } from './ids';
import { type IdRow, idAsText, idBehind, itemPages, pagesOf, rowPage } from './item-pages';
import type { CollectionSchema, ConvertedText, DocumentRow, TextCodec } from './item-schema';

/** Items in one page. */
export const pageSize = 200;

/** An item or a user as it is stored, without a user's password and its hash. */
export interface StoredRow extends DocumentRow, IdRow {
  /** The user's name; null where the user has none. Undefined for an item. */
  readonly username?: string | null;
}

/** All items of a collection, or all users of a service. */
export interface StoredItems {
  readonly service: string;
  /** The collection, or `users`. */
  readonly name: string;
  readonly codec: TextCodec<object>;
  /** Names an item in reports by its id, a user by the name in quotation marks. */
  labelOf(row: StoredRow): string;
  /** Reads all behind an id, page by page. */
  after(id: string | null): AsyncGenerator<StoredRow>;
  /** Reads the next page behind an id, and locks its rows; empty at the end. */
  lock(trx: Transaction, after: string | null): Promise<readonly StoredRow[]>;
  replace(trx: Transaction, old: StoredRow, document: string): Promise<void>;
  /** Converts what a data migration makes of a row into what is to be stored. */
  convert(old: StoredRow, item: object): ConvertedText;
}

type StoredSchema = Pick<CollectionSchema<object>, 'codec' | 'hasId' | 'hasTextId'>;

/**
 * @param where - the columns that tell the rows from others of the table
 * @param columns - those beside the ones of every row
 */
const storedRows = (
  { knex, prepare, all }: Database,
  { codec, hasId, hasTextId }: StoredSchema,
  table: 'items' | 'users',
  where: Readonly<Record<string, string | number>>,
  columns: readonly string[] = [],
): Omit<StoredItems, 'service' | 'name'> => {
  const rows = (): Knex.QueryBuilder => knex(table).where(where);
  const page = () =>
    rows()
      .where('id', '>=', param('from'))
      .orderBy(`${table}.id`)
      .limit(pageSize)
      .select(idAsText(knex), 'document', 'format', ...columns);
  const find = prepare<{ from: string }, StoredRow>(page());
  const lock = prepare<{ from: string }, StoredRow>(page().forUpdate());
  const update = prepare<Readonly<Record<'id' | 'document' | 'format', string>>, never>(
    rows()
      .where('id', param('id'))
      .update({ document: param('document'), format: param('format') }),
    [table],
  );
  return {
    codec,
    labelOf({ id, username, document }) {
      if (typeof username === 'string') return JSON.stringify(username);
      return (hasTextId && textIdOf(codec.read(document))) || id;
    },
    async *after(start) {
      const pages = pagesOf(
        async (from) => rowPage(await all(find, { from })),
        [pageSize, pageSize],
        start,
      );
      for await (const { rows } of pages) yield* rows;
    },
    async lock(trx, after) {
      const from = idBehind(after);
      return from === undefined ? [] : trx.all(lock, { from });
    },
    async replace(trx, old, document) {
      const { format } = codec;
      if (old.document === document && old.format === format) return;
      await trx.run(update, { id: old.id, document, format });
    },
    convert({ id, document }, item) {
      const number = hasId ? BigInt(id) : undefined;
      const kept = hasTextId ? textIdOf(codec.read(document)) : number;
      return codec.convert(codec.write(identified(item, kept)));
    },
  };
};

/** The items of a collection, whose indexes are written with them. */
export const storedItems = (
  db: Database,
  collection: StoredSchema & Pick<CollectionParts<object>, 'service' | 'name' | 'key'>,
): StoredItems => {
  const { service, name, key, codec } = collection;
  const findIndexes = db.prepare<Values, CollectionIndex>(
    db.knex('collection_indexes').where({ collection: key }).select('key', 'kind', 'path'),
  );
  const indexes: CollectionIndex[] = [];
  const { updateIndexes } = collectionIndexes(db, key, indexes, itemPages(db, key, codec));
  const rows = storedRows(db, collection, 'items', { collection: key });
  return {
    service,
    name,
    ...rows,
    async lock(trx, after) {
      const locked = await rows.lock(trx, after);
      // A server may have added an index since the page before.
      indexes.splice(0, indexes.length, ...(await trx.all(findIndexes, {})));
      return locked;
    },
    async replace(trx, old, document) {
      await rows.replace(trx, old, document);
      if (old.document === document) return;
      await updateIndexes(trx, BigInt(old.id), codec.read(old.document), codec.read(document));
    },
  };
};

/**
 * The users of a service, in the order of their ids. What a data migration makes of a user keeps the id and the user name: a name
 * that it leaves out is filled in, and another name is a problem, and so is a password.
 */
export const storedUsers = (db: Database, service: string, schema: StoredSchema): StoredItems => {
  const rows = storedRows(db, schema, 'users', { service }, ['username']);
  return {
    service,
    name: 'users',
    ...rows,
    convert(old, made) {
      const { document, username } = old;
      const problems: ConvertedText['problems'] = [
        ...('password' in made
          ? [{ path: '/password', message: 'may not be set by a migration' }]
          : []),
        ...('username' in made && made.username !== username
          ? [{ path: '/username', message: 'may not be changed by a migration' }]
          : []),
      ];
      if (problems.length > 0) return { document, problems };
      const isNamed = 'username' in made || typeof username !== 'string';
      return rows.convert(old, isNamed ? made : { username, ...made });
    },
  };
};
