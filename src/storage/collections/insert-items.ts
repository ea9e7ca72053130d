/** Adds items: under the id that each has, or under one that is assigned. */

import type { Knex } from 'knex';
import type { SerializedJson } from '../../engine';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { isNullViolation, isUniqueViolation } from '../sql/dialect';
import { param, type Statement } from '../sql/statement';
import { type IdBlocks, idBlocks, newKeys } from './id-blocks';
import { type Ids, idsOf } from './ids';
import type { TextCodec } from './item-schema';
import { unnumberedIds } from './keys';

/** What a row holds of an item. */
export type ItemValues = Readonly<Record<'id' | 'document' | 'format', string>>;

type NewValues = ItemValues & { readonly owner: string | null };

/** What adding needs of a collection. */
interface InsertParts<Item> {
  readonly service: string;
  readonly name: string;
  /** Its row in the table `collections`. */
  readonly key: number;
  readonly codec: TextCodec<Item>;
  /** Whether the schema has an int64 `id`. */
  readonly hasId: boolean;
  rowOf(id: bigint, item: Item): ItemValues;
  /** Names the lock of an item; see Database.transaction. */
  orderOf(id: bigint): string;
  updateIndexes(
    trx: Transaction,
    id: bigint,
    before: Item | undefined,
    after: Item | undefined,
  ): Promise<void>;
}

/** Undefined where the item's id is in use. */
type Insert<Item> = (item: Item, owner?: string) => Promise<SerializedJson<Item> | undefined>;

/** Adds over the database, or over a transaction in it. */
type InsertOver<Item> = (db: Pick<Database, 'transaction'>) => Insert<Item>;

const givenId = (item: object): bigint | undefined =>
  'id' in item && typeof item.id === 'bigint' ? item.id : undefined;

const newRow = { owner: param('owner'), document: param('document'), format: param('format') };

/** The id comes from a counter, in the transaction that adds the item. */
const insertsByCounter = <Item extends object>(
  db: Database,
  ids: Ids,
  { key, codec, hasId, rowOf, orderOf, updateIndexes }: InsertParts<Item>,
): InsertOver<Item> => {
  const statement = db.prepare<NewValues, never>(
    db
      .knex('items')
      .insert({ collection: key, id: param('id'), ...newRow })
      .onConflict(['collection', 'id'])
      .ignore(),
  );
  return ({ transaction }) =>
    (item, owner) => {
      const given = hasId ? givenId(item) : undefined;
      const order = given === undefined ? ids.lock : orderOf(given);
      return transaction(async (trx) => {
        let stored = '';
        const id = await ids.insert(trx, given, async (free) => {
          const row = rowOf(free, item);
          stored = row.document;
          return (await trx.run(statement, { ...row, owner: owner ?? null })) === 1;
        });
        if (id === undefined) return undefined;
        await updateIndexes(trx, id, undefined, item);
        return codec.serialized(stored, codec.format);
      }, order);
    };
};

/** The id was taken before: nobody waits for a counter, nor for any statement before the commit. */
const insertsAhead = <Item extends object>(
  { knex, prepare }: Database,
  blocks: IdBlocks,
  ids: Pick<Ids, 'retire'>,
  { service, name, key, codec, hasId, rowOf, orderOf, updateIndexes }: InsertParts<Item>,
): InsertOver<Item> => {
  const insertUnder = (id: Knex.Value | Knex.Raw): Statement<NewValues, never> =>
    prepare(knex('items').insert({ collection: key, id, ...newRow }));
  const insertGiven = insertUnder(param('id'));
  // What is not to be assigned becomes NULL, and the statement fails: an id that was given meanwhile, and removed; and one that the
  // counter has not passed, since the database was brought back to what it had been before.
  const kind = `${service}/${name}`;
  const unlessRetired = knex.raw(
    `(select cast(? as bigint)
      where exists (select 1 from id_counters where name = ? and next > ?)
      and not exists (select 1 from retired_ids where kind = ? and id = ?))`,
    [param('id'), kind, param('id'), kind, param('id')],
  );
  // Keys come from no counter.
  const insertAssigned = insertUnder(hasId ? unlessRetired : param('id'));

  /** Undefined where the id is in use. */
  const insert = async (
    transaction: Database['transaction'],
    statement: Statement<NewValues, never>,
    row: NewValues,
    item: Item,
  ): Promise<SerializedJson<Item> | undefined> => {
    const id = BigInt(row.id);
    try {
      await transaction(async (trx) => {
        await trx.send(statement, row);
        // Some process may have the id in the block that it took.
        if (statement === insertGiven) await ids.retire(trx, id);
        await updateIndexes(trx, id, undefined, item);
      }, orderOf(id));
      return codec.serialized(row.document, codec.format);
    } catch (error) {
      if (isUniqueViolation(error) || isNullViolation(error)) return undefined;
      throw error;
    }
  };

  const assign = async (
    transaction: Database['transaction'],
    item: Item,
    owner: string | null,
  ): Promise<SerializedJson<Item>> => {
    const row = { ...rowOf(await blocks.next(), item), owner };
    const stored = await insert(transaction, insertAssigned, row, item);
    return stored ?? assign(transaction, item, owner);
  };

  return ({ transaction }) =>
    async (item, owner) => {
      const id = hasId ? givenId(item) : undefined;
      return id === undefined
        ? assign(transaction, item, owner ?? null)
        : insert(transaction, insertGiven, { ...rowOf(id, item), owner: owner ?? null }, item);
    };
};

/** Makes what adds the items of a collection, and what becomes of the ids of those that are removed. */
export const itemInserter = <Item extends object>(
  db: Database,
  parts: InsertParts<Item>,
): {
  insertOver(over: Database): Insert<Item>;
  readonly ids: Pick<Ids, 'hasPassed' | 'retire'>;
} => {
  const { service, name, key, hasId } = parts;
  const ids = hasId ? idsOf(db, service, name, db.isAhead) : unnumberedIds;
  const byCounter = insertsByCounter(db, ids, parts);
  if (!db.isAhead) return { ids, insertOver: byCounter };
  const blocks = hasId ? idBlocks(db, key, `${service}/${name}`) : newKeys;
  const ahead = insertsAhead(db, blocks, ids, parts);
  return { ids, insertOver: (over) => (over.isAhead ? ahead(over) : byCounter(over)) };
};
