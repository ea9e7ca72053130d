/** Brings the tables of collections in line with what a service declares, at each start. */

import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';
import { type CollectionIndex, collectionIndex, type IndexRow } from './indexes/collection-index';

/** A declaration as the server reads it, without the types of the document. */
export interface CollectionDeclaration {
  readonly schema?: string;
  readonly body?: string;
  readonly lookups?: readonly string[];
  readonly counts?: readonly string[];
  readonly files?: boolean;
}

/** A collection as the database knows it. */
export interface RegisteredCollection {
  readonly key: number;
  readonly indexes: readonly CollectionIndex[];
  /** Indexes that are declared no longer and to be retired; their entries are still there. */
  readonly dropped: readonly Pick<IndexRow, 'key'>[];
}

type Index = Pick<IndexRow, 'kind' | 'path'>;

const declaredIndexes = ({ lookups = [], counts = [] }: CollectionDeclaration): Index[] => [
  ...lookups.map((path): Index => ({ kind: 'lookup', path })),
  ...counts.map((path): Index => ({ kind: 'count', path })),
];

/** A row of the table; one that is declared no longer has another kind, and its key for a path. */
interface StoredIndex {
  readonly key: number | string;
  readonly kind: string;
  readonly path: string;
}

const isSame = (one: Index, other: StoredIndex): boolean =>
  one.kind === other.kind && one.path === other.path;

/** What the database has of a collection; undefined where it was never registered. Changes nothing. */
export const findCollection = async (
  db: Database,
  service: string,
  name: string,
): Promise<Pick<RegisteredCollection, 'key' | 'indexes'> | undefined> => {
  const { knex } = db;
  const found: { key: number | string } | undefined = await knex('collections')
    .where({ service, name })
    .first('key');
  if (found === undefined) return undefined;
  const rows: IndexRow[] = await knex('collection_indexes')
    .where({ collection: found.key })
    .whereIn('kind', ['lookup', 'count'])
    .select('key', 'kind', 'path');
  return {
    key: Number(found.key),
    indexes: rows.map((row) => collectionIndex(db, { ...row, key: Number(row.key) })),
  };
};

/** Makes the functions that register collections by their names, and retire indexes that are declared no longer. */
export const collectionRegister = (db: Database, service: string) => {
  const { knex, prepare, transaction } = db;
  const addCollection = prepare<{ name: string }, never>(
    knex('collections')
      .insert({ service, name: param('name') })
      .onConflict(['service', 'name'])
      .ignore(),
  );
  const findCollection = prepare<{ name: string }, { key: number | string }>(
    knex('collections')
      .where({ service, name: param('name') })
      .select('key'),
  );
  const addIndex = prepare<{ collection: number; kind: string; path: string }, never>(
    knex('collection_indexes')
      .insert({
        collection: param('collection'),
        kind: param('kind'),
        path: param('path'),
        is_complete: 0,
      })
      .onConflict(['collection', 'kind', 'path'])
      .ignore(),
  );
  const findIndexes = prepare<{ collection: number }, StoredIndex>(
    knex('collection_indexes')
      .where({ collection: param('collection') })
      .select('key', 'kind', 'path'),
  );
  // Its entries are old from now on. Should it be declared again before they are deleted, it gets a new row.
  const retireIndex = prepare<{ key: number; path: string }, never>(
    knex('collection_indexes')
      .where({ key: param('key') })
      .update({ kind: 'dropped', path: param('path') }),
  );
  const keyOf = async (trx: Transaction, name: string): Promise<number> => {
    await trx.run(addCollection, { name });
    const [row] = await trx.all(findCollection, { name });
    if (row === undefined) throw new Error(`The collection ${service}/${name} is not registered`);
    return Number(row.key);
  };

  const register = (
    name: string,
    declaration: CollectionDeclaration,
  ): Promise<RegisteredCollection> =>
    transaction(async (trx) => {
      const key = await keyOf(trx, name);
      const declared = declaredIndexes(declaration);
      for (const { kind, path } of declared) {
        await trx.run(addIndex, { collection: key, kind, path });
      }
      const rows = await trx.all(findIndexes, { collection: key });
      const indexes = declared.flatMap((index) =>
        rows
          .filter((row) => isSame(index, row))
          .map((row) => collectionIndex(db, { ...index, key: Number(row.key) })),
      );
      const dropped = rows
        .filter((row) => !declared.some((index) => isSame(index, row)))
        .map((row) => ({ key: Number(row.key) }));
      return { key, indexes, dropped };
    });

  const retire = async (dropped: RegisteredCollection['dropped']): Promise<void> => {
    if (dropped.length === 0) return;
    await transaction(async (trx) => {
      for (const { key } of dropped) {
        await trx.run(retireIndex, { key, path: String(key) });
      }
    });
  };

  return { register, retire };
};
