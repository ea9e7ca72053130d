/** Brings the tables of collections in line with what a service declares, at each start and each reload. */

import type { Knex } from 'knex';
import type { Database, Transaction } from '../database/database';
import { param, paramsOf } from '../sql/statement';
import type { FileReaders } from './attached-files';
import { type CollectionIndex, changesEnded, writtenIndexes } from './collection-indexes';
import { changeIndexes, type FillProgress, waitForLock } from './fill-indexes';
import type { CollectionSchema } from './item-schema';

/** A declaration as the server reads it, without the types of the document. */
export interface CollectionDeclaration {
  /** The name of a component, or a schema that the document does not have. */
  readonly schema?: string | object;
  readonly body?: string;
  readonly lookups?: readonly string[];
  readonly counts?: readonly string[];
  readonly sorts?: readonly string[];
  readonly files?: boolean | FileReaders;
}

type Index = Pick<CollectionIndex, 'kind' | 'path'>;

type IndexedSchema = Pick<CollectionSchema<object>, 'sortKind' | 'hasTextId'>;

const declaredIndexes = (
  { lookups = [], counts = [], sorts = [] }: CollectionDeclaration,
  { sortKind, hasTextId }: IndexedSchema,
): Index[] => [
  ...[...new Set([...lookups, ...(hasTextId ? ['id'] : [])])].map(
    (path): Index => ({ kind: 'lookup', path }),
  ),
  ...counts.map((path): Index => ({ kind: 'count', path })),
  ...sorts.map((path): Index => ({ kind: sortKind(path), path })),
];

type IndexRow = CollectionIndex & { readonly is_complete: number };

const isSame = (one: Index, other: Index): boolean =>
  one.kind === other.kind && one.path === other.path;

/** Finds the key of a collection; undefined where it was never registered. Changes nothing. */
export const findCollection = async (
  { knex }: Pick<Database, 'knex'>,
  service: string,
  name: string,
): Promise<number | undefined> => {
  const found: { key: number } | undefined = await knex('collections')
    .where({ service, name })
    .first('key');
  return found?.key;
};

/**
 * Finds the indexes that the next start fills or deletes, and how many items their collections have. Changes nothing.
 *
 * @param schemas - gives the schemas of the collections by name, where any is stored
 */
export const indexChanges = async (
  knex: Knex,
  service: string,
  collections: Readonly<Record<string, CollectionDeclaration>>,
  schemas: () => ReadonlyMap<string, IndexedSchema>,
) => {
  // Seconds for an item of an index, rounded up, on two virtual cores.
  const secondsPerItem = 1e-4;
  const changes = [];
  for (const [name, declaration] of Object.entries(collections)) {
    const collection = await findCollection({ knex }, service, name);
    if (collection === undefined) continue;
    const rows: IndexRow[] = await knex('collection_indexes').where({ collection });
    const schema = schemas().get(name);
    if (schema === undefined) throw new Error(`${service}/${name} has no schema`);
    const declared = declaredIndexes(declaration, schema);
    const filled = rows.filter((row) => row.is_complete === 1);
    const [counted] = await knex('items').where({ collection }).count({ items: '*' });
    const items = Number(counted?.['items']);
    const common = { collection: `${service}/${name}`, items, seconds: items * secondsPerItem };
    const added = declared.filter((index) => !filled.some((row) => isSame(row, index)));
    const dropped = rows.filter((row) => !declared.some((index) => isSame(row, index)));
    changes.push(...added.map(({ kind, path }) => ({ change: 'fill', kind, path, ...common })));
    changes.push(...dropped.map(({ kind, path }) => ({ change: 'delete', kind, path, ...common })));
  }
  return changes.filter(({ items }) => items > 0);
};

/** The circumstances in which a collection is registered. */
export interface RegisterOptions {
  readonly schema: IndexedSchema & Pick<CollectionSchema<object>, 'codec'>;
  /** Tells whether this process still serves by a former declaration, whose other indexes then stay until the next start. */
  readonly isReload: boolean;
  readonly progress?: FillProgress | undefined;
}

/** Makes the function that registers the collections of a service by their names; it gives what then fills new indexes, and drops old ones. */
export const collectionRegister = (db: Database, service: string) => {
  const { knex, prepare, transaction } = db;
  const addCollection = prepare<{ name: string }, never>(
    knex('collections')
      .insert({ service, name: param('name') })
      .onConflict(['service', 'name'])
      .ignore(),
  );
  const find = prepare<{ name: string }, { key: number }>(
    knex('collections')
      .where({ service, name: param('name') })
      .select('key'),
  );
  const addIndex = prepare<{ collection: number; kind: string; path: string }, never>(
    knex('collection_indexes')
      .insert({ ...paramsOf(['collection', 'kind', 'path']), is_complete: 0 })
      .onConflict(['collection', 'kind', 'path'])
      .ignore(),
  );
  const findIndexes = prepare<{ collection: number }, IndexRow>(
    knex('collection_indexes')
      .where('collection', param('collection'))
      .select('key', 'kind', 'path', 'is_complete'),
  );

  const addRows = async (trx: Transaction, name: string, declared: readonly Index[]) => {
    await trx.run(addCollection, { name });
    const [row] = await trx.all(find, { name });
    if (row === undefined) throw new Error(`The collection ${service}/${name} is not registered`);
    const { key } = row;
    for (const { kind, path } of declared) {
      await trx.run(addIndex, { collection: key, kind, path });
    }
    return { key, rows: await trx.all(findIndexes, { collection: key }) };
  };

  return async (
    name: string,
    declaration: CollectionDeclaration,
    { schema, isReload, progress }: RegisterOptions,
  ) => {
    const { codec } = schema;
    const declared = declaredIndexes(declaration, schema);
    const { key, rows } = await waitForLock(() =>
      transaction((trx) => addRows(trx, name, declared)),
    );
    const isDeclared = (row: IndexRow): boolean => declared.some((index) => isSame(index, row));
    const fillIndexes = async (): Promise<void> => {
      const written = writtenIndexes(db, key);
      const isWritten = (row: IndexRow): boolean => written.some((index) => index.key === row.key);
      const unwritten = rows.filter((row) => isDeclared(row) && !isWritten(row));
      // An index that this process served without misses what it changed, even where another process has filled it.
      const added = unwritten.filter((row) => isReload || row.is_complete === 0);
      const dropped = isReload ? [] : rows.filter((row) => !isDeclared(row));
      // What is changed from now on is in the index, and what was changed before has ended when it is filled.
      written.push(...unwritten);
      if (added.length > 0) await changesEnded(db);
      const forget = (indexes: readonly CollectionIndex[]): void => {
        const keys = new Set(indexes.map((index) => index.key));
        written.splice(0, written.length, ...written.filter((index) => !keys.has(index.key)));
      };
      forget(dropped);
      try {
        await changeIndexes(db, { key, codec, added, fillsAgain: isReload, dropped, progress });
      } catch (error) {
        forget(added);
        throw error;
      }
    };
    return { key, indexes: rows.filter(isDeclared), fillIndexes };
  };
};
