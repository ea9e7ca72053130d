/** Uploaded files, byte for byte; each belongs to a pet and goes with it. */

import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';

/** A file's content. */
export interface Content {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface FileStorage {
  find(id: string): Promise<Content | undefined>;
}

/** Keeps a file of a pet and resolves to its id, which is unguessable: who knows it may read the file. */
export type KeepFile = (trx: Transaction, petId: bigint, content: Content) => Promise<string>;

/** What randomUUID gives. */
const isFileId = /^[\da-f-]{36}$/;

type FileValues = Readonly<{ id: string; petId: string; mediaType: string; bytes: Uint8Array }>;

/** Makes the function that keeps files of a service. */
export const fileKeeper = ({ knex, prepare }: Database, service: string): KeepFile => {
  const insert = prepare<FileValues, never>(
    knex('files').insert({
      id: param('id'),
      service,
      pet_id: param('petId'),
      media_type: param('mediaType'),
      bytes: param('bytes'),
    }),
  );
  return async (trx, petId, { mediaType, bytes }) => {
    const id = randomUUID();
    // The drivers know bytes by Buffer alone. A view: nothing is copied.
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await trx.run(insert, { id, petId: petId.toString(), mediaType, bytes: buffer });
    return id;
  };
};

/** Reads files from the table `files`. */
export const knexFiles = ({ knex, prepare, all }: Database, service: string): FileStorage => {
  const find = prepare<{ id: string }, { media_type: string; bytes: Uint8Array }>(
    knex('files')
      .where({ id: param('id'), service })
      .select('media_type', 'bytes'),
  );
  return {
    async find(id) {
      // Callers may ask for any text, and PostgreSQL takes none with U+0000.
      if (!isFileId.test(id)) return undefined;
      const [row] = await all(find, { id });
      return row && { mediaType: row.media_type, bytes: row.bytes };
    },
  };
};
