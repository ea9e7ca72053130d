/** Uploaded files, byte for byte; each belongs to a pet and goes with it. */

import { randomUUID } from 'node:crypto';
import type { Database } from './database';

/** A file's content. */
export interface Content {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface FileStorage {
  find(id: string): Promise<Content | undefined>;
}

/**
 * Keeps a file of the pet. Needs a transaction where the pet changes too.
 *
 * @returns its id, unguessable: who knows it may read the file
 */
export const insertFile = async (
  trx: Database,
  service: string,
  petId: bigint,
  { mediaType, bytes }: Content,
): Promise<string> => {
  const id = randomUUID();
  await trx('files').insert({
    id,
    service,
    pet_id: petId.toString(),
    media_type: mediaType,
    // The drivers know bytes by Buffer alone. A view: nothing is copied.
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  });
  return id;
};

export const knexFiles = (db: Database, service: string): FileStorage => ({
  async find(id) {
    const row = await db('files').where({ id, service }).first('media_type', 'bytes');
    return row && { mediaType: row.media_type, bytes: row.bytes };
  },
});
