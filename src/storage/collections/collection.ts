/** Items of one schema, each stored as JSON text under an int64 id, found and counted by what their collection declares. */

import type { SerializedJson } from '../../engine';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { deleteReturning } from '../sql/dialect';
import { param } from '../sql/statement';
import { type AttachedFile, attachedFiles, type FileSettings } from './attached-files';
import { collectionIndexes, writtenIndexes } from './collection-indexes';
import type { CollectionIndex } from './field-values';
import { type ItemValues, itemInserter } from './insert-items';
import { type ItemPages, itemPages } from './item-pages';
import {
  type CollectionSchema,
  type DocumentRow,
  requireValid,
  requireValidChange,
  type UnusableSchema,
} from './item-schema';

/** A collection as handlers use it. Unknown items give undefined or false; lists are ordered by id. */
export interface Collection<Item> {
  get(id: bigint): Promise<SerializedJson<Item> | undefined>;
  /** Lists all items. */
  list(): ItemPages<Item>;
  /** Lists the items that have any of the values in the field, each once. */
  find(path: string, values: readonly unknown[]): ItemPages<Item>;
  /** Counts the items that have each value in the field; each value that the schema's `enum` lists is there, 0 included. */
  count(path: string): Promise<Record<string, number>>;
  /**
   * Stores a new item, under an assigned id where it has none. Undefined where its id is in use: nothing is overwritten.
   *
   * @param owner - the principal's subject, stored beside the item
   */
  insert(item: Item, owner?: string): Promise<SerializedJson<Item> | undefined>;
  /**
   * Changes an item, which is locked meanwhile. The function may be called more than once; the id stays, and files that the item
   * names no longer are deleted.
   */
  update(id: bigint, change: (item: Item) => Item): Promise<SerializedJson<Item> | undefined>;
  /** Deletes an item and its files; its id is never assigned again. */
  delete(id: bigint): Promise<boolean>;
  /**
   * Stores a file of an item, and changes the item in the same transaction. Throws QuotaExceeded where the files of the item or
   * the owner would take too many bytes: nothing is stored then.
   *
   * @param owner - the principal's subject: the file counts for what one user may store
   */
  attach(
    id: bigint,
    bytes: Uint8Array,
    change: (item: Item, url: string) => Item,
    owner?: string,
  ): Promise<AttachedFile | undefined>;
}

/** The parts of a collection. */
export interface CollectionParts<Item> extends CollectionSchema<Item> {
  readonly service: string;
  readonly name: string;
  /** Its row in the table `collections`. */
  readonly key: number;
  readonly indexes: readonly CollectionIndex[];
  /** Undefined where no files may be attached. */
  readonly files: FileSettings | undefined;
}

/** Composes the statements; what is returned makes the collection over the database, or over a transaction in it. */
export const collectionOver = <Item extends object>(
  root: Database,
  parts: CollectionParts<Item>,
): ((db: Database) => Collection<Item>) => {
  const { service, name, key, codec, hasId, indexes } = parts;
  const files = parts.files && attachedFiles(root, service, key, parts.files);
  const pages = itemPages(root, key, codec);
  const { kinds, updateIndexes } = collectionIndexes(root, key, writtenIndexes(root, key), pages);

  const { knex, prepare } = root;
  const itemRow = () => knex('items').where({ collection: key, id: param('id') });
  const text = { document: param('document'), format: param('format') };
  const columns = ['document', 'format'] as const;
  const statements = {
    find: pages.find,
    lock: prepare<{ id: string }, DocumentRow>(itemRow().forUpdate().select(columns)),
    update: prepare<ItemValues, never>(itemRow().update(text)),
    remove: prepare<{ id: string }, DocumentRow>(deleteReturning(knex, itemRow(), columns)),
  };

  const indexOf = (kind: CollectionIndex['kind'], path: string): CollectionIndex => {
    const index = indexes.find((one) => one.kind === kind && one.path === path);
    if (index === undefined) throw new Error(`${service}/${name} declares no ${kind} of ${path}`);
    return index;
  };

  const rowOf = (id: bigint, item: Item): ItemValues => ({
    id: id.toString(),
    // The id comes first in the text, assigned or given.
    document: codec.store(hasId ? Object.assign({ id }, item, { id }) : item),
    format: codec.format,
  });

  /** Rows are changed in the order of their ids, after all counters. */
  const orderOf = (id: bigint): string => `1 ${service}/${name}/${id}`;

  const { insertOver, ids } = itemInserter(root, { ...parts, rowOf, orderOf, updateIndexes });

  const change = async (
    trx: Transaction,
    id: bigint,
    edit: (item: Item) => Item | Promise<Item>,
  ): Promise<SerializedJson<Item> | undefined> => {
    const [found] = await trx.all(statements.lock, { id: id.toString() });
    if (found === undefined) return undefined;
    const before = codec.read(found.document);
    const isCurrent = found.format === codec.format;
    const after = await edit(isCurrent ? before : codec.readCurrent(found.document));
    const row = rowOf(id, after);
    requireValidChange(codec, found, row.document, service, name, id);
    await trx.send(statements.update, row);
    await updateIndexes(trx, id, before, after);
    await files?.deleteUnnamed(trx, id, found.document, row.document);
    return codec.serialized(row.document, row.format);
  };

  const remove = async (trx: Transaction, id: bigint): Promise<boolean> => {
    const [[removed], hasPassed] = await Promise.all([
      trx.all(statements.remove, { id: id.toString() }),
      ids.hasPassed(trx, id),
    ]);
    if (removed === undefined) return false;
    await updateIndexes(trx, id, codec.read(removed.document), undefined);
    await files?.deleteOf(trx, id);
    if (!hasPassed) await ids.retire(trx, id);
    return true;
  };

  return (db) => {
    const { all, beginList, transaction } = db;
    return {
      async get(id) {
        const [found] = await all(statements.find, { id: id.toString() });
        const item = found && codec.serialized(found.document, found.format);
        return found && requireValid(item, service, name, id);
      },
      list: () => pages.list(beginList()),
      find: (path, values) => kinds.lookup.find(beginList(), indexOf('lookup', path), values),
      async count(path) {
        const none = parts.declaredValues(path).map((value) => [value, 0] as const);
        return {
          ...Object.fromEntries(none),
          ...(await kinds.count.read(beginList(), indexOf('count', path))),
        };
      },
      insert: insertOver(db),
      update: (id, edit) => transaction((trx) => change(trx, id, edit), orderOf(id)),
      delete: (id) => transaction((trx) => remove(trx, id), orderOf(id)),
      async attach(id, bytes, edit, owner) {
        if (files === undefined) throw new Error(`${service}/${name} declares no files`);
        let file: AttachedFile | undefined;
        const changed = await transaction(
          (trx) =>
            change(trx, id, async (old) => {
              file = await files.insert(trx, id, bytes, owner);
              return edit(old, file.url);
            }),
          orderOf(id),
        );
        return changed && file;
      },
    };
  };
};

/** Stands in for a collection without a usable schema: whatever is called throws. */
export const unusableCollection = (unusable: UnusableSchema): Collection<object> => {
  const refuse = (): never => {
    throw unusable;
  };
  return {
    get: refuse,
    list: refuse,
    find: refuse,
    count: refuse,
    insert: refuse,
    update: refuse,
    delete: refuse,
    attach: refuse,
  };
};
