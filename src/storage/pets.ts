/** Pets, found by id, status and tag, with their photos. */

import type { Pet } from '../generated/petstore';
import type { Database } from './database';
import { knexDocuments } from './documents';
import { type Content, insertFile } from './files';
import type { TextCodec } from './text-codec';

type PetStatus = NonNullable<Pet['status']>;

/** What is undefined stays as it is. */
export interface PetChanges {
  readonly name?: string | undefined;
  readonly status?: PetStatus | undefined;
}

/** Lists are ordered by id. Unknown pets give undefined or false. */
export interface PetStorage {
  find(id: bigint): Promise<Pet | undefined>;
  byStatuses(statuses: readonly PetStatus[]): Promise<Pet[]>;
  /** Pets that have any of the tags, each once. */
  byTags(names: readonly string[]): Promise<Pet[]>;
  /** Only statuses that some pet has. */
  countByStatus(): Promise<Partial<Record<PetStatus, number>>>;
  /** Assigns an id where there is none. Undefined where the id is in use: nothing is overwritten. */
  add(pet: Pet): Promise<Pet | undefined>;
  replace(id: bigint, pet: Pet): Promise<Pet | undefined>;
  patch(id: bigint, changes: PetChanges): Promise<Pet | undefined>;
  /** Its photos go with it. */
  remove(id: bigint): Promise<boolean>;
  /** Keeps the file and appends the address, at which it will be read by its id, to the pet's photoUrls. */
  addPhoto(id: bigint, photo: Content, addressOf: (fileId: string) => string): Promise<boolean>;
}

/** Databases bound how many values one statement may carry (SQLite: 32,766; PostgreSQL: 65,535). */
const rowsPerInsert = 500;

const tagNames = ({ tags = [] }: Pet): string[] => [
  ...new Set(tags.flatMap(({ name }) => (name === undefined ? [] : [name]))),
];

export const knexPets = (db: Database, service: string, codec: TextCodec<Pet>): PetStorage => {
  const documents = knexDocuments(db, {
    name: 'pets',
    service,
    codec,
    columns: ({ status = null }) => ({ status }),
    async index(trx, id, pet) {
      const key = { service, pet_id: id.toString() };
      await trx('pet_tags').where(key).delete();
      const rows = tagNames(pet).map((name) => ({ ...key, name }));
      await trx.batchInsert('pet_tags', rows, rowsPerInsert);
    },
  });
  const { find, add, change, remove } = documents;

  const readAll = (rows: readonly { readonly document: string }[]): Pet[] =>
    rows.map(({ document }) => codec.read(document));

  return {
    find,
    add,
    remove,

    async byStatuses(statuses) {
      const wanted = db('pets').where({ service }).whereIn('status', statuses);
      return readAll(await wanted.orderBy('id').select('document'));
    },

    async byTags(names) {
      const tagged = db('pet_tags').where({ service }).whereIn('name', names).select('pet_id');
      const wanted = db('pets').where({ service }).whereIn('id', tagged);
      return readAll(await wanted.orderBy('id').select('document'));
    },

    async countByStatus() {
      const counted = db('pets').where({ service }).whereNotNull('status').groupBy('status');
      const rows: { status: PetStatus; count: number | string }[] = await counted
        .select('status')
        .count({ count: '*' });
      const counts: Partial<Record<PetStatus, number>> = {};
      for (const { status, count } of rows) counts[status] = Number(count);
      return counts;
    },

    replace: (id, pet) => change(id, () => ({ ...pet, id })),

    patch: (id, { name, status }) =>
      change(id, (pet) => ({ ...pet, name: name ?? pet.name, status: status ?? pet.status })),

    async addPhoto(id, photo, addressOf) {
      const changed = await change(id, async (pet, trx) => {
        const fileId = await insertFile(trx, service, id, photo);
        return { ...pet, photoUrls: [...pet.photoUrls, addressOf(fileId)] };
      });
      return changed !== undefined;
    },
  };
};
