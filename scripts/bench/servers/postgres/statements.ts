/** The hand-written peer's SQL on PostgreSQL: credentials and data in one statement wherever one will do. */

import type { Pet } from '../hand-written/pet';
import {
  type Found,
  type FoundList,
  namesOf,
  type Statements,
  withId,
} from '../hand-written/statements';
import { prepareChanges } from './changes';
import { openPool } from './pool';

const listOf = (condition: string): string => `
  SELECT t.scopes, p.id, p.document FROM tokens t LEFT JOIN pets p ON ${condition}
  WHERE t.hash = $2 AND t.expires_at > $3 ORDER BY p.id`;

// Here, and not by `string_agg`: PostgreSQL takes longer to join the texts than to send them.
const joined = (rows: readonly Found[]): FoundList | undefined => {
  const texts = rows.map(({ id, document }) =>
    id === null || document === null ? '' : withId(id, document),
  );
  return rows[0] && { scopes: rows[0].scopes ?? '', list: `[${texts.join()}]` };
};

/** Opens the database. */
export const prepareOnPostgres = (url: string): Statements => {
  const prepare = openPool(url);
  const readByKey = prepare<Found>(
    'read-by-key',
    'SELECT p.id, p.document FROM api_keys k LEFT JOIN pets p ON p.id = $1 WHERE k.hash = $2',
  );
  const readByToken = prepare<Found>(
    'read-by-token',
    `SELECT t.scopes, p.id, p.document FROM tokens t LEFT JOIN pets p ON p.id = $1
     WHERE t.hash = $2 AND t.expires_at > $3`,
  );
  const token = prepare<{ user: string; scopes: string }>(
    'token',
    'SELECT "user", scopes FROM tokens WHERE hash = $1 AND expires_at > $2',
  );
  const byStatus = prepare<Found>('by-status', listOf('p.status = $1'));
  const byStatuses = prepare<Found>('by-statuses', listOf('p.status = ANY ($1)'));
  const byTags = prepare<Found>(
    'by-tags',
    listOf('p.id IN (SELECT pet_id FROM pet_tags WHERE name = ANY ($1))'),
  );
  const inventory = prepare<{ status: string | null; count: number }>(
    'inventory',
    `SELECT p.status, p.count FROM api_keys k LEFT JOIN (
       SELECT status, count(*) AS count FROM pets WHERE status IS NOT NULL GROUP BY status
     ) p ON true WHERE k.hash = $1`,
  );
  const order = prepare<{ id: number; document: string }>(
    'order',
    'SELECT id, document FROM orders WHERE id = $1',
  );
  const changes = prepareChanges(prepare);

  return {
    readByKey: async (id, hash) => (await readByKey(id, hash))[0],
    readByToken: async (id, hash, now) => (await readByToken(id, hash, now))[0],
    token: async (hash, now) => (await token(hash, now))[0],
    byStatus: async (status, hash, now) => joined(await byStatus(status, hash, now)),
    byStatuses: async (statuses, hash, now) => joined(await byStatuses(statuses, hash, now)),
    byTags: async (tags, hash, now) => joined(await byTags(tags, hash, now)),
    inventory: async (hash) => [...(await inventory(hash))],
    order: async (id) => (await order(id))[0],
    insertOrder: async (id, document) => changes.addOrder(id, document),
    insertAd: changes.addAd,
    addPet: (pet: Pet, document) =>
      changes.addPet(pet.id, pet.status ?? null, document, namesOf(pet)),
    replacePet: (id, pet, document) =>
      changes.replacePet(id, pet.status ?? null, document, namesOf(pet)),
  };
};
