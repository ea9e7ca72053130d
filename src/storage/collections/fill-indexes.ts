/** Fills indexes that are new, and deletes those that are declared no longer, while no item changes. */

import { setImmediate } from 'node:timers/promises';
import { DatabaseUnavailable } from '../connections/database-errors';
import { type RetryDelay, retry } from '../connections/retry';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { isPostgres } from '../sql/dialect';
import { param, type Values } from '../sql/statement';
import { type CollectionIndex, fieldValues } from './field-values';
import { firstId, type IdRow, idAsText, lastId } from './item-pages';
import type { TextCodec } from './item-schema';

/** Items that are read, and entries that are deleted, by one statement. */
const pageSize = 256;

/** Rows that one statement inserts: databases bound the number of its values. */
const statementRows = 64;

/** Told about once a second how many items were put into the new indexes so far. */
export type FillProgress = (items: number) => void;

interface FilledCollection {
  /** Its row in the table `collections`. */
  readonly key: number;
  readonly codec: Pick<TextCodec<object>, 'read'>;
}

interface IndexChanges {
  /** The indexes to fill. */
  readonly added: readonly CollectionIndex[];
  /** Tells whether to fill even those that another process has filled meanwhile. */
  readonly fillsAgain: boolean;
  /** The indexes to delete. */
  readonly dropped: readonly Pick<CollectionIndex, 'key'>[];
}

interface ItemRow extends IdRow {
  readonly key: string;
  readonly document: string;
}

/** The time for which one process waits while another fills indexes; milliseconds. */
const longestWait = 600_000;

const whileUnavailable: RetryDelay = (error, _attempts, elapsed) => {
  if (!(error instanceof DatabaseUnavailable) || elapsed > longestWait) throw error;
  return 1000;
};

/** Cuts rows into lists that one statement can insert. */
const chunksOf = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / statementRows) }, (_, at) =>
    rows.slice(at * statementRows, (at + 1) * statementRows),
  );

/** The entries of some items in an index by which items are found. */
const entriesOf = (
  { key, path }: CollectionIndex,
  items: readonly (readonly [ItemRow, object])[],
) =>
  items.flatMap(([row, item]) =>
    [...fieldValues(item, path)].map((value) => ({
      index_key: key,
      value,
      id: row.id,
      item: row.key,
    })),
  );

/** The counts of the values that some items have. */
const countsOf = (
  { key, path }: CollectionIndex,
  items: readonly (readonly [ItemRow, object])[],
) => {
  const counts = new Map<string, number>();
  for (const [, item] of items) {
    const [value] = fieldValues(item, path);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ index_key: key, value, shard: 0, count }));
};

/**
 * Fills and deletes indexes in one transaction, in which no item changes: changes of all collections wait for it. Page by page,
 * with other work in between. What was stopped begins again from the start.
 *
 * @throws DatabaseUnavailable where the database fails, or another process fills indexes for minutes
 */
export const changeIndexes = async (
  db: Database,
  { key: collection, codec }: FilledCollection,
  { added, fillsAgain, dropped }: IndexChanges,
  progress: FillProgress = () => {},
): Promise<void> => {
  if (added.length === 0 && dropped.length === 0) return;
  const { knex, prepare, transaction } = db;
  const find = prepare<{ from: string }, ItemRow>(
    knex('items')
      .where({ collection })
      .where('id', '>=', param('from'))
      .orderBy('items.id')
      .limit(pageSize)
      .select(idAsText(knex), knex.raw('cast(?? as text) as ??', ['key', 'key']), 'document'),
  );
  const some = knex('item_index')
    .where({ index_key: param('key') })
    .limit(pageSize)
    .select('value', 'id');
  const removeEntries = prepare<{ key: number }, never>(
    knex.raw('delete from item_index where index_key = ? and (value, id) in (?)', [
      param('key'),
      some,
    ]),
  );
  const removeCounts = prepare<{ key: number }, never>(
    knex('value_counts')
      .where({ index_key: param('key') })
      .delete(),
  );
  const row = () => knex('collection_indexes').where({ key: param('key') });
  const remove = prepare<{ key: number }, never>(row().delete());
  const complete = prepare<{ key: number }, never>(row().update({ is_complete: 1 }));
  const findIncomplete = prepare<{ key: number }, { key: number | string }>(
    row().where({ is_complete: 0 }).select('key'),
  );
  const insertEntries = (rows: readonly object[]) =>
    prepare<Values, never>(knex('item_index').insert(rows).onConflict().ignore());
  const addCounts = (rows: readonly object[]) =>
    prepare<Values, never>(
      knex('value_counts')
        .insert(rows)
        .onConflict(['index_key', 'value', 'shard'])
        .merge({ count: knex.raw('?? + ??', ['value_counts.count', 'excluded.count']) }),
    );

  /** The first statement, so that what follows sees all that was committed before. Reads go on. */
  const keepItems = async (trx: Transaction): Promise<void> => {
    if (!isPostgres(knex)) return;
    for (const limit of ['lock_timeout', 'statement_timeout']) {
      await trx.run(prepare<Values, never>(knex.raw(`set local ${limit} = 0`)), {});
    }
    await trx.run(prepare<Values, never>(knex.raw('lock table items in exclusive mode')), {});
  };

  const empty = async (trx: Transaction, key: number): Promise<void> => {
    await trx.run(removeCounts, { key });
    while ((await trx.run(removeEntries, { key })) > 0) await setImmediate();
  };

  const fillPage = async (
    trx: Transaction,
    indexes: readonly CollectionIndex[],
    rows: readonly ItemRow[],
  ): Promise<void> => {
    const items = rows.map((one) => [one, codec.read(one.document)] as const);
    for (const index of indexes) {
      const statements =
        index.kind === 'lookup'
          ? chunksOf(entriesOf(index, items)).map(insertEntries)
          : chunksOf(countsOf(index, items)).map(addCounts);
      for (const statement of statements) await trx.run(statement, {});
    }
  };

  const fill = async (trx: Transaction, indexes: readonly CollectionIndex[]): Promise<void> => {
    let told = Date.now();
    let from: string | undefined = firstId;
    let items = 0;
    while (from !== undefined) {
      const rows: readonly ItemRow[] = await trx.all(find, { from });
      await fillPage(trx, indexes, rows);
      items += rows.length;
      if (Date.now() - told > 1000) {
        progress(items);
        told = Date.now();
      }
      const last: string = rows.at(-1)?.id ?? lastId;
      from = rows.length < pageSize || last === lastId ? undefined : String(BigInt(last) + 1n);
      // Requests go on between two pages.
      await setImmediate();
    }
  };

  /** The indexes to fill, now that no other process fills any. */
  const unfilled = async (trx: Transaction): Promise<readonly CollectionIndex[]> => {
    if (fillsAgain) return added;
    const incomplete = await Promise.all(added.map(({ key }) => trx.all(findIncomplete, { key })));
    return added.filter((_, at) => incomplete[at]?.length === 1);
  };

  const change = async (trx: Transaction): Promise<void> => {
    await keepItems(trx);
    const indexes = await unfilled(trx);
    for (const { key } of [...dropped, ...indexes]) await empty(trx, key);
    for (const { key } of dropped) await trx.run(remove, { key });
    if (indexes.length > 0) await fill(trx, indexes);
    for (const { key } of indexes) await trx.run(complete, { key });
  };

  await retry(() => transaction(change), whileUnavailable);
};
