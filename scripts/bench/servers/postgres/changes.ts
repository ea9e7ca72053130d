/** The changes that all peers on PostgreSQL make: one statement each, and so one trip and one commit. */

import type { Prepare } from './pool';

interface Assigned {
  readonly id: number;
}

// Tags go in with their pet.
const petWithTags = (columns: string, values: string): string => `
  WITH pet AS (
    INSERT INTO pets (${columns}) VALUES (${values}) ON CONFLICT DO NOTHING RETURNING id
  ), tagged AS (
    INSERT INTO pet_tags SELECT DISTINCT tag, id FROM pet, unnest($3::text[]) AS tag
  )
  SELECT id FROM pet`;

// An id that a caller chose is not assigned later.
const skipId = (table: string, from: string): string =>
  `setval('${table}_id_seq', greatest(${from}, (SELECT last_value FROM ${table}_id_seq)))`;

/** Prepares the statements. */
export const prepareChanges = (prepare: Prepare) => {
  const insertPet = prepare<Assigned>(
    'insert-pet',
    petWithTags('status, document', '$1, $2::text'),
  );
  const insertPetWithId = prepare<Assigned>(
    'insert-pet-with-id',
    `${petWithTags('status, document, id', '$1, $2::text, $4::bigint')}, ${skipId('pets', 'id')}`,
  );
  const updatePet = prepare<{ readonly replaced: boolean }>(
    'update-pet',
    'SELECT replace_pet($1, $2, $3, $4) AS replaced',
  );
  const insertOrder = prepare<Assigned>(
    'insert-order',
    'INSERT INTO orders (document) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id',
  );
  const insertOrderWithId = prepare<Assigned>(
    'insert-order-with-id',
    `INSERT INTO orders (document, id) VALUES ($1, $2) ON CONFLICT DO NOTHING
     RETURNING id, ${skipId('orders', 'id')}`,
  );
  const insertAd = prepare('insert-ad', 'INSERT INTO ads (author, document) VALUES ($1, $2)');

  return {
    /** The id; undefined where the given one is in use. */
    async addPet(
      id: number | undefined,
      status: unknown,
      document: string,
      tags: readonly string[],
    ): Promise<number | undefined> {
      const [row] =
        id === undefined
          ? await insertPet(status, document, tags)
          : await insertPetWithId(status, document, tags, id);
      return row?.id;
    },
    /** False where there is no such pet. */
    async replacePet(
      id: number,
      status: unknown,
      document: string,
      tags: readonly string[],
    ): Promise<boolean> {
      const [row] = await updatePet(id, status, document, tags);
      return row?.replaced === true;
    },
    /** The id; undefined where the given one is in use. */
    async addOrder(id: number | undefined, document: string): Promise<number | undefined> {
      const [row] =
        id === undefined ? await insertOrder(document) : await insertOrderWithId(document, id);
      return row?.id;
    },
    async addAd(author: string, document: string): Promise<void> {
      await insertAd(author, document);
    },
  };
};
