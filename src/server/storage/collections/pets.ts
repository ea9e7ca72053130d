/** Pets, found by id, status and tag, with their photos. */

import type { Pet } from '../../../../handlers/petstore/types';
import type { MaybePromise, SerializedJson } from '../../../engine';
import type { Database } from '../database/database';
import { orderAndLimit, param } from '../sql/statement';
import { documentPages, idAsText, type Page } from './document-pages';
import { knexDocuments } from './documents';
import { type Content, fileKeeper } from './files';
import { type IdRow, mergedIds } from './pages';
import { petTags } from './pet-tags';
import { statusCounts } from './status-counts';
import type { TextCodec } from './text-codec';

type PetStatus = NonNullable<Pet['status']>;

/** What is undefined stays as it is. */
export interface PetChanges {
  readonly name?: string | undefined;
  readonly status?: PetStatus | undefined;
}

/** Pages of pets, read as they are asked for. */
export type PetPages = AsyncIterable<Page<Pet>>;

/** Lists are ordered by id. Unknown pets give undefined or false. */
export interface PetStorage {
  find(id: bigint): MaybePromise<SerializedJson<Pet> | undefined>;
  byStatuses(statuses: readonly PetStatus[]): PetPages;
  /** Pets that have any of the tags, each once. */
  byTags(names: readonly string[]): PetPages;
  /** Only statuses that some pet has. */
  countByStatus(): Promise<Partial<Record<PetStatus, number>>>;
  /** Assigns an id where there is none. Undefined where the id is in use: nothing is overwritten. */
  add(pet: Pet): Promise<SerializedJson<Pet> | undefined>;
  replace(id: bigint, pet: Pet): Promise<SerializedJson<Pet> | undefined>;
  patch(id: bigint, changes: PetChanges): Promise<SerializedJson<Pet> | undefined>;
  /** Its photos go with it. */
  remove(id: bigint): Promise<boolean>;
  /** Keeps the file and appends the address, at which it will be read by its id, to the pet's photoUrls. */
  addPhoto(id: bigint, photo: Content, addressOf: (fileId: string) => string): Promise<boolean>;
}

type FromStatus = Readonly<{ status: string; from: string; limit: number }>;

export const knexPets = (db: Database, service: string, codec: TextCodec<Pet>): PetStorage => {
  const { knex, prepare } = db;
  const pages = documentPages(db, 'pets', service, codec);
  const tags = petTags(db, service, pages);
  const counts = statusCounts(db, service);
  const keepFile = fileKeeper(db, service);
  const { find, add, change, remove } = knexDocuments(db, {
    name: 'pets',
    service,
    codec,
    column: { name: 'status', of: ({ status = null }) => status },
    index: {
      async update(trx, id, before, after) {
        await tags.update(trx, id, before, after);
        counts.move(trx, before?.status, after?.status);
      },
    },
  });

  const withStatus = () =>
    knex('pets')
      .where({ service, status: param('status') })
      .where('id', '>=', param('from'))
      .orderByRaw(...orderAndLimit('pets.id'));
  const ofStatus = pages.listOf<{ status: string }>(withStatus);
  const idsOf = prepare<FromStatus, IdRow>(withStatus().select(idAsText(knex)));

  return {
    find,
    add,
    remove,

    byStatuses(statuses) {
      const [status, ...more] = new Set(statuses);
      if (status !== undefined && more.length === 0) {
        return ofStatus({ status });
      }
      const lists = [...new Set(statuses)].map(
        (one) => (from: string, limit: number) => db.all(idsOf, { status: one, from, limit }),
      );
      return pages.ofIds(mergedIds(lists));
    },

    byTags(names) {
      const [name, ...more] = new Set(names);
      return name !== undefined && more.length === 0
        ? tags.petsOf(name)
        : pages.ofIds(mergedIds([...new Set(names)].map(tags.idsOf)));
    },

    async countByStatus() {
      // A status that the document does not declare any more is refused where the answer is checked.
      return Object.fromEntries(await counts.read());
    },

    replace: (id, pet) => change(id, () => ({ ...pet, id })),

    patch: (id, { name, status }) =>
      change(id, (pet) => ({ ...pet, name: name ?? pet.name, status: status ?? pet.status })),

    async addPhoto(id, photo, addressOf) {
      const changed = await change(id, async (pet, trx) => {
        const fileId = await keepFile(trx, id, photo);
        return { ...pet, photoUrls: [...pet.photoUrls, addressOf(fileId)] };
      });
      return changed !== undefined;
    },
  };
};
