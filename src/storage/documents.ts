/** A table of resources, each kept as JSON text under its service and an int64 id. */

import type { Database } from './database';
import { idKind, insertUnderId, removeUnderId } from './ids';
import type { TextCodec } from './text-codec';

/** What a change makes of a resource; it may touch other tables in the same transaction. */
export type Edit<Resource> = (resource: Resource, trx: Database) => Resource | Promise<Resource>;

export interface Documents<Resource> {
  find(id: bigint): Promise<Resource | undefined>;
  /** Assigns an id where there is none. Undefined where the id is in use: nothing is overwritten. */
  add(resource: Resource): Promise<Resource | undefined>;
  /** Nobody else changes the resource meanwhile. Undefined where there is none. */
  change(id: bigint, edit: Edit<Resource>): Promise<Resource | undefined>;
  /** False where there is none. */
  remove(id: bigint): Promise<boolean>;
}

/** How one table keeps its resources. */
export interface DocumentTable<Resource> {
  readonly name: string;
  readonly service: string;
  readonly codec: TextCodec<Resource>;
  /** The columns beside the text that are searched. */
  columns?(resource: Resource): Readonly<Record<string, string | null>>;
  /** Called in the transaction that wrote the resource, to write what is searched in other tables. */
  index?(trx: Database, id: bigint, resource: Resource): Promise<void>;
}

/** All answers are what was stored: properties that the schema does not declare are gone. */
export const knexDocuments = <Resource extends { readonly id?: bigint | undefined }>(
  db: Database,
  { name, service, codec, columns, index }: DocumentTable<Resource>,
): Documents<Resource> => {
  const kind = idKind(service, name);
  const rowsOf = (source: Database, id: bigint) =>
    source(name).where({ service, id: id.toString() });

  const toRow = (resource: Resource) => ({
    document: codec.write(resource),
    ...columns?.(resource),
  });

  return {
    async find(id) {
      const row = await rowsOf(db, id).first('document');
      return row && codec.read(row.document);
    },

    add: (resource) =>
      db.transaction(async (trx) => {
        let stored = '';
        const id = await insertUnderId(trx, kind, resource.id, async (free) => {
          // The id comes first in the text, assigned or given.
          const row = toRow(Object.assign({ id: free }, resource, { id: free }));
          stored = row.document;
          const inserted = await trx(name)
            .insert({ service, id: free.toString(), ...row })
            .onConflict(['service', 'id'])
            .ignore()
            .returning('service');
          return inserted.length === 1;
        });
        if (id === undefined) return undefined;
        await index?.(trx, id, resource);
        return codec.read(stored);
      }),

    change: (id, edit) =>
      db.transaction(async (trx) => {
        const found = await rowsOf(trx, id).forUpdate().first('document');
        if (!found) return undefined;
        const changed = await edit(codec.read(found.document), trx);
        const row = toRow(changed);
        await rowsOf(trx, id).update(row);
        await index?.(trx, id, changed);
        return codec.read(row.document);
      }),

    remove: (id) =>
      db.transaction((trx) =>
        removeUnderId(trx, kind, id, async () => (await rowsOf(trx, id).delete()) > 0),
      ),
  };
};
