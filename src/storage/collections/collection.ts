/** Items of one schema, each stored as JSON text under an int64 number, found and counted by what their collection declares. */

import { randomUUID } from 'node:crypto';
import type { SerializedJson } from '../../engine';
import { type Database, lockName, type Runner, type Transaction } from '../database/database';
import { deleteReturning, isUniqueViolation, searchKey } from '../sql/dialect';
import { param, paramsOf } from '../sql/statement';
import { type AttachedFile, attachedFiles, type FileSettings } from './attached-files';
import { type CollectionIndex, collectionIndexes, writtenIndexes } from './collection-indexes';
import type { Cursors } from './cursors';
import { identified, idsOf, textIdOf, unnumberedIds } from './ids';
import { type IdRow, type ItemPages, idAsText, itemPages, pagedList } from './item-pages';
import type { CollectionSchema, DocumentRow, TextCodec } from './item-schema';
import { type CursorPage, keysetPages } from './keyset-pages';
import type { PageOptions } from './page-query';

/**
 * A function that refuses a change by what it throws: it gets the item as it is answered, while that is locked, or undefined where there
 * is none. All stays as it was then.
 */
export type ItemCondition<Item> = (current: SerializedJson<Item> | undefined) => void;

/** A collection as handlers use it. Unknown items give undefined or false; lists are ordered by number: the id, if that is one. */
export interface Collection<Item, Id = bigint | string> {
  get(id: Id): Promise<SerializedJson<Item> | undefined>;
  /** Lists all items. */
  list(): ItemPages<Item>;
  /** Lists the items that have any of the values in the field, each once. */
  find(path: string, values: readonly unknown[]): ItemPages<Item>;
  /**
   * Reads a page of the items that fit, in order. Throws InvalidPage for a cursor that is not of this list, and a limit out of range.
   */
  page(options?: PageOptions): Promise<CursorPage<Item>>;
  /** Counts the items that have each value in the field; each value that the schema's `enum` lists is there, 0 included. */
  count(path: string): Promise<Record<string, number>>;
  /** Counts the items that fit. */
  count(query: Pick<PageOptions, 'where'>): Promise<number>;
  /**
   * Stores a new item, with what it leaves out and has a default, and under an assigned id where it has none. Undefined where its id is in use: nothing is overwritten.
   *
   * @param owner - the principal's subject, stored beside the item
   */
  insert(item: Item, owner?: string): Promise<SerializedJson<Item> | undefined>;
  /**
   * Changes an item, which is locked meanwhile. The function may be called more than once; the id stays, and files that the item
   * names no longer are deleted.
   */
  update(
    id: Id,
    change: (item: Item) => Item,
    precondition?: ItemCondition<Item>,
  ): Promise<SerializedJson<Item> | undefined>;
  /** Deletes an item and its files; its id is never assigned again. */
  delete(id: Id, precondition?: ItemCondition<Item>): Promise<boolean>;
  /**
   * Stores a file of an item, and changes the item in the same transaction. Throws QuotaExceeded where the files of the item or
   * the owner would take too many bytes: nothing is stored then.
   *
   * @param owner - the principal's subject: the file counts for what one user may store
   */
  attach(
    id: Id,
    bytes: Uint8Array,
    change: (item: Item, url: string) => Item,
    owner?: string,
    precondition?: ItemCondition<Item>,
  ): Promise<AttachedFile | undefined>;
}

/** The parts of a collection. */
export interface CollectionParts<Item> extends CollectionSchema<Item> {
  readonly service: string;
  readonly name: string;
  /** Its row in the table `collections`. */
  readonly key: number;
  readonly indexes: readonly CollectionIndex[];
  readonly cursors: Cursors;
  /** Undefined where no files may be attached. */
  readonly files: FileSettings | undefined;
}

/** Makes the error of an item that is stored and invalid; its id is for the log alone. */
const invalidItemError = (service: string, name: string, id: bigint | string): Error =>
  new Error(
    `${service}/${name}/${id}: the stored item does not fit the document; npm run admin -- data check --service ${service} says why`,
  );

/** Gives what was read; throws where it is invalid. */
export const requireValid = <Item>(
  item: Item | undefined,
  ...place: Parameters<typeof invalidItemError>
): Item => {
  if (item === undefined) throw invalidItemError(...place);
  return item;
};

/** Refuses a change of an item of another format that leaves the item invalid. */
export const requireValidChange = (
  { format, convert }: Pick<TextCodec<unknown>, 'format' | 'convert'>,
  old: Pick<DocumentRow, 'format'>,
  document: string,
  ...place: Parameters<typeof invalidItemError>
): void => {
  if (old.format !== format && convert(document).problems.length > 0) {
    throw invalidItemError(...place);
  }
};

type ItemValues = Readonly<Record<'id' | 'document' | 'format', string>>;

type Inserted<Item> = Promise<SerializedJson<Item> | undefined>;

/** The items of a collection: statements that are composed once, and work that they do outside and inside of transactions. */
export class CollectionItems<Item extends object> {
  readonly #parts: CollectionParts<Item>;
  /** With its service. */
  readonly #name: string;
  readonly #files;
  readonly #pages;
  readonly #keyset;
  readonly #indexes;
  readonly #counter;
  readonly #ids;
  readonly #findNumber;
  readonly #insert;
  readonly #insertUnlessUsed;
  readonly #lock;
  readonly #update;
  readonly #remove;
  #added = 0;

  constructor(root: Database, parts: CollectionParts<Item>) {
    const { service, name, key, codec, hasId, indexes, files, cursors } = parts;
    this.#parts = parts;
    this.#name = `${service}/${name}`;
    this.#files = files && attachedFiles(root, service, key, files);
    this.#pages = itemPages(root, key, codec);
    const fields = { name: this.#name, key, hasId, indexes };
    this.#keyset = keysetPages(root, fields, this.#pages, cursors);
    this.#indexes = collectionIndexes(root, key, writtenIndexes(root, key), this.#pages);
    this.#counter = idsOf(root, service, name);
    this.#ids = hasId ? this.#counter : unnumberedIds;

    const { knex, prepare } = root;
    const tables = ['items'];
    const columns = ['document', 'format'] as const;
    const row = () => knex('items').where({ collection: key, id: param('id') });
    const newRow = () =>
      knex('items').insert({ collection: key, ...paramsOf(['id', 'owner', ...columns]) });
    type NewValues = ItemValues & { readonly owner: string | null };
    this.#insert = prepare<NewValues, never>(newRow(), tables);
    const newId = newRow().onConflict(['collection', 'id']);
    this.#insertUnlessUsed = prepare<NewValues, never>(newId.ignore(), tables);
    this.#lock = prepare<{ id: string }, DocumentRow>(row().forUpdate().select(columns));
    this.#update = prepare<ItemValues, never>(row().update(paramsOf(columns)), tables);
    const removal = deleteReturning(knex, row(), columns);
    this.#remove = prepare<{ id: string }, DocumentRow>(removal, tables);
    const entries = knex('item_index').where(paramsOf(['index_key as index', 'value']));
    this.#findNumber = prepare<{ index: number; value: string }, IdRow>(
      entries.select(idAsText(knex)),
      ['item_index'],
    );
  }

  /** Makes the collection over the database, or over a transaction in it. */
  over({ all, transaction }: Database): Collection<Item> {
    const { service, name, codec, hasId, hasTextId } = this.#parts;
    /** Names the lock of an item: rows are changed in the order of their ids, after all counters. */
    const lockOf = (id: bigint): string => lockName.row(`${this.#name}/${id}`);
    const count = (asked: string | Pick<PageOptions, 'where'>) =>
      typeof asked === 'string'
        ? this.#countValues(all, asked)
        : this.#keyset.count(all, asked.where ?? {});
    return {
      get: async (id) => {
        const number = await this.#numberOf(all, id);
        const [found] = await all(this.#pages.find, { id: number.toString() });
        const item = found && codec.serialized(found.document, found.format);
        return found && requireValid(item, service, name, id);
      },
      list: () => pagedList(() => this.#pages.list(all)),
      find: (path, values) => {
        const index = this.#indexOf('lookup', path);
        return pagedList(() => this.#indexes.kinds.lookup.find(all, index, values));
      },
      page: (options = {}) => this.#keyset.page(all, options),
      count: count as Collection<Item>['count'],
      insert: async (given, subject) => {
        const owner = subject ?? null;
        const item = codec.fill(given);
        if (hasId && 'id' in item && typeof item.id === 'bigint') {
          const { id } = item;
          return transaction((trx) => this.#addUnder(trx, id, item, owner), lockOf(id));
        }
        if (!hasTextId) return this.#assign(transaction, item, owner);
        const id = textIdOf(item);
        return this.#assign(transaction, identified(item, id ?? randomUUID()), owner, id);
      },
      update: async (given, edit, precondition) => {
        const id = await this.#numberOf(all, given);
        return transaction((trx) => this.#change(trx, id, edit, precondition), lockOf(id));
      },
      delete: async (given, precondition) => {
        const id = await this.#numberOf(all, given);
        return transaction((trx) => this.#delete(trx, id, precondition), lockOf(id));
      },
      attach: async (given, bytes, edit, owner, precondition) => {
        const files = this.#files;
        if (files === undefined) throw new Error(`${this.#name} declares no files`);
        const id = await this.#numberOf(all, given);
        let file: AttachedFile | undefined;
        const changed = await transaction((trx) => {
          const store = async (old: Item): Promise<Item> => {
            file = await files.insert(trx, id, bytes, owner);
            return edit(old, file.url);
          };
          return this.#change(trx, id, store, precondition);
        }, lockOf(id));
        return changed && file;
      },
    };
  }

  #indexOf(kind: CollectionIndex['kind'], path: string): CollectionIndex {
    const index = this.#parts.indexes.find((one) => one.kind === kind && one.path === path);
    if (index !== undefined) return index;
    throw new Error(`${this.#name} declares no ${kind} of ${path}`);
  }

  /** Finds the number of an item: its id, or what that stands for; -1 where there is none, which has no item. */
  async #numberOf(all: Runner['all'], id: bigint | string): Promise<bigint> {
    if (typeof id === 'bigint') return id;
    const values = { index: this.#indexOf('lookup', 'id').key, value: searchKey(id) };
    const [found] = await all(this.#findNumber, values);
    return BigInt(found?.id ?? -1);
  }

  /** Reads the counts of the values in a field. */
  async #countValues(all: Runner['all'], path: string): Promise<Record<string, number>> {
    const none = this.#parts.declaredValues(path).map((value) => [value, 0] as const);
    const counts = await this.#indexes.kinds.count.read(all, this.#indexOf('count', path));
    return { ...Object.fromEntries(none), ...counts };
  }

  #rowOf(id: bigint, item: Item): ItemValues {
    const { codec, hasId } = this.#parts;
    const document = codec.store(identified(item, hasId ? id : undefined));
    return { id: id.toString(), document, format: codec.format };
  }

  /** Adds an item under the next id. */
  async #assign(
    transaction: Database['transaction'],
    item: Item,
    owner: string | null,
    givenId?: string,
  ): Inserted<Item> {
    this.#added += 1;
    // Adding waits for nothing but the counter, so that two go side by side, unless they want the same id.
    const lock = lockName.counter(`${this.#name}/${givenId ?? this.#added}`);
    try {
      return await transaction(async (trx) => {
        if (givenId !== undefined) {
          await this.#counter.lock(trx);
          if ((await this.#numberOf(trx.all, givenId)) !== -1n) return undefined;
        }
        const id = await this.#ids.take(trx);
        const row = this.#rowOf(id, item);
        await trx.send(this.#insert, { ...row, owner });
        await this.#indexes.updateIndexes(trx, id, undefined, item);
        return this.#parts.codec.serialized(row.document, row.format);
      }, lock);
    } catch (error) {
      // Two processes have made the same key.
      if (this.#parts.hasId || !isUniqueViolation(error)) throw error;
      return this.#assign(transaction, item, owner, givenId);
    }
  }

  /** Adds an item under the id that it gives, unless that is in use. */
  async #addUnder(trx: Transaction, id: bigint, item: Item, owner: string | null): Inserted<Item> {
    const row = this.#rowOf(id, item);
    await this.#ids.give(trx, id);
    if ((await trx.run(this.#insertUnlessUsed, { ...row, owner })) === 0) return undefined;
    await this.#indexes.updateIndexes(trx, id, undefined, item);
    return this.#parts.codec.serialized(row.document, row.format);
  }

  async #change(
    trx: Transaction,
    id: bigint,
    edit: (item: Item) => Item | Promise<Item>,
    precondition?: ItemCondition<Item>,
  ): Inserted<Item> {
    const { service, name, codec, hasTextId } = this.#parts;
    const [found] = await trx.all(this.#lock, { id: id.toString() });
    precondition?.(found && codec.serialized(found.document, found.format));
    if (found === undefined) return undefined;
    const before = codec.read(found.document);
    const isCurrent = found.format === codec.format;
    const edited = await edit(isCurrent ? before : codec.readCurrent(found.document));
    const after = hasTextId ? identified(edited, textIdOf(before)) : edited;
    const row = this.#rowOf(id, after);
    requireValidChange(codec, found, row.document, service, name, id);
    await trx.send(this.#update, row);
    await this.#indexes.updateIndexes(trx, id, before, after);
    await this.#files?.deleteUnnamed(trx, id, found.document, row.document);
    return codec.serialized(row.document, row.format);
  }

  async #delete(
    trx: Transaction,
    id: bigint,
    precondition?: ItemCondition<Item>,
  ): Promise<boolean> {
    const { codec } = this.#parts;
    const [removed] = await trx.all(this.#remove, { id: id.toString() });
    precondition?.(removed && codec.serialized(removed.document, removed.format));
    if (removed === undefined) return false;
    await this.#indexes.updateIndexes(trx, id, codec.read(removed.document), undefined);
    await this.#files?.deleteOf(trx, id);
    return true;
  }
}
