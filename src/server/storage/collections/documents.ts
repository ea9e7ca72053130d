/** A table of resources, each kept as JSON text under its service and an int64 id. */

import { andThen, type MaybePromise, type SerializedJson } from '../../../engine';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { deleteReturning } from '../sql/delete-returning';
import { param, type Value } from '../sql/statement';
import { idsOf } from './ids';
import type { TextCodec } from './text-codec';

/** What a change makes of a resource; it may touch other tables in the same transaction. */
export type Edit<Resource> = (resource: Resource, trx: Transaction) => Resource | Promise<Resource>;

export interface Documents<Resource> {
  find(id: bigint): MaybePromise<SerializedJson<Resource> | undefined>;
  /** Assigns an id where there is none. Undefined where the id is in use: nothing is overwritten. */
  add(resource: Resource): Promise<SerializedJson<Resource> | undefined>;
  /** Nobody else changes the resource meanwhile. Undefined where there is none. */
  change(id: bigint, edit: Edit<Resource>): Promise<SerializedJson<Resource> | undefined>;
  /** False where there is none. */
  remove(id: bigint): Promise<boolean>;
}

/** Keeps what is searched in other tables; called in the transaction that changed the resource. */
export interface Index<Resource> {
  /** @param before - what the resource was; undefined where it is new
   *  @param after - what it is now; undefined where it is removed */
  update(
    trx: Transaction,
    id: bigint,
    before: Resource | undefined,
    after: Resource | undefined,
  ): Promise<void>;
}

/** How one table keeps its resources. */
export interface DocumentTable<Resource> {
  readonly name: string;
  readonly service: string;
  readonly codec: TextCodec<Resource>;
  /** A column beside the text that is searched. */
  readonly column?: { readonly name: string; of(resource: Resource): string | null };
  readonly index?: Index<Resource>;
}

/** A text and the format that it was written in. */
export interface DocumentRow {
  readonly document: string;
  readonly format: string;
}

type RowValues = Readonly<Record<'id' | 'document' | 'format', string>> &
  Readonly<Record<string, Value>>;

/** All answers are what was stored: properties that the schema does not declare are gone. */
export const knexDocuments = <Resource extends { readonly id?: bigint | undefined }>(
  db: Database,
  table: DocumentTable<Resource>,
): Documents<Resource> => {
  const { name, service, codec, column, index } = table;
  const { knex, prepare } = db;
  const ids = idsOf(db, service, name);
  const row = () => knex(name).where({ service, id: param('id') });
  const columns = {
    document: param('document'),
    format: param('format'),
    ...(column && { [column.name]: param(column.name) }),
  };

  const find = prepare<{ id: string }, DocumentRow>(row().select('document', 'format'));
  const lock = prepare<{ id: string }, DocumentRow>(row().forUpdate().select('document', 'format'));
  const insert = prepare<RowValues, never>(
    knex(name)
      .insert({ service, id: param('id'), ...columns })
      .onConflict(['service', 'id'])
      .ignore(),
  );
  const update = prepare<RowValues, never>(row().update(columns));
  const remove = prepare<{ id: string }, DocumentRow>(
    deleteReturning(knex, row(), ['document', 'format']),
  );

  const toRow = (id: bigint, resource: Resource): RowValues => ({
    id: id.toString(),
    document: codec.write(resource),
    format: codec.format,
    ...(column && { [column.name]: column.of(resource) }),
  });

  /** Rows change hands in the order of their ids, after all counters. */
  const lockOf = (id: bigint): string => `1 ${service}/${name}/${id}`;

  return {
    find: (id) =>
      andThen(
        db.all(find, { id: id.toString() }),
        ([found]) => found && codec.kept(found.document, found.format),
      ),

    add: (resource) =>
      db.transaction(
        async (trx) => {
          let stored = '';
          const id = await ids.insert(trx, resource.id, (free) => {
            // The id comes first in the text, assigned or given.
            const values = toRow(free, Object.assign({ id: free }, resource, { id: free }));
            stored = values.document;
            return andThen(trx.run(insert, values), (inserted) => inserted === 1);
          });
          if (id === undefined) return undefined;
          await index?.update(trx, id, undefined, resource);
          return codec.kept(stored, codec.format);
        },
        resource.id === undefined ? ids.lock : lockOf(resource.id),
      ),

    change: (id, edit) =>
      db.transaction(async (trx) => {
        const [found] = await trx.all(lock, { id: id.toString() });
        if (found === undefined) return undefined;
        const before = codec.read(found.document);
        const after = await edit(before, trx);
        const values = toRow(id, after);
        await trx.run(update, values);
        await index?.update(trx, id, before, after);
        return codec.kept(values.document, values.format);
      }, lockOf(id)),

    remove: (id) =>
      db.transaction(async (trx) => {
        const [removed] = await trx.all(remove, { id: id.toString() });
        if (removed === undefined) return false;
        await index?.update(trx, id, codec.read(removed.document), undefined);
        await ids.retire(trx, id);
        return true;
      }, lockOf(id)),
  };
};
