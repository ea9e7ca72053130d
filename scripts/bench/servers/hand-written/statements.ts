/** The hand-written peer's SQL: credentials and data in one statement wherever one will do. */

import type { Database } from 'better-sqlite3';
import type { Later } from '../soon';
import type { Pet } from './pet';

/** What a look-up with credentials gives: no row means bad credentials; a null document, nothing of that id. */
export interface Found {
  readonly scopes?: string;
  readonly id: number | null;
  readonly document: string | null;
}

/** A list as one JSON text, with the caller's scopes. */
export interface FoundList {
  readonly scopes: string;
  readonly list: string;
}

// A document is kept without its id, which the database assigns: the text is completed where it is read.
const whole = `'{"id":' || id || ',' || substr(document, 2)`;

const listOf = (condition: string): string => `
  SELECT t.scopes, '[' || (
    SELECT coalesce(group_concat(text, ','), '') FROM (
      SELECT ${whole} AS text FROM pets WHERE ${condition} ORDER BY id
    )
  ) || ']' AS list FROM tokens t WHERE t.hash = ? AND t.expires_at > ?`;

/** The names of its tags. */
export const namesOf = ({ tags = [] }: Pet): readonly string[] =>
  tags.flatMap(({ name }) => (name === undefined ? [] : name));

/** Prepares the statements on SQLite. */
export const prepare = (db: Database) => {
  const readByKey = db.prepare<[number, string], Found>(`
    SELECT p.id, p.document FROM api_keys k LEFT JOIN pets p ON p.id = ? WHERE k.hash = ?`);
  const readByToken = db.prepare<[number, string, number], Found>(`
    SELECT t.scopes, p.id, p.document FROM tokens t LEFT JOIN pets p ON p.id = ?
    WHERE t.hash = ? AND t.expires_at > ?`);
  const token = db.prepare<[string, number], { user: string; scopes: string }>(
    'SELECT user, scopes FROM tokens WHERE hash = ? AND expires_at > ?',
  );
  // SQLite finds the rows of one status in the order of their ids; where there may be several it reads the whole table.
  const byStatus = db.prepare<[string, string, number], FoundList>(listOf('status = ?'));
  const byStatuses = db.prepare<[string, string, number], FoundList>(
    listOf('status IN (SELECT value FROM json_each(?))'),
  );
  const byTags = db.prepare<[string, string, number], FoundList>(
    listOf(`id IN (
      SELECT pet_id FROM pet_tags WHERE name IN (SELECT value FROM json_each(?)))`),
  );
  const inventory = db.prepare<[string], { status: string | null; count: number }>(`
    SELECT p.status, p.count FROM api_keys k LEFT JOIN (
      SELECT status, count(*) AS count FROM pets WHERE status IS NOT NULL GROUP BY status
    ) p WHERE k.hash = ?`);
  const insertPet = db.prepare<[number | null, string | null, string], { id: number }>(
    'INSERT INTO pets (id, status, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const updatePet = db.prepare<[string | null, string, number], { id: number }>(
    'UPDATE pets SET status = ?, document = ? WHERE id = ? RETURNING id',
  );
  const addTags = db.prepare<[number, string], void>(
    'INSERT INTO pet_tags (name, pet_id) SELECT DISTINCT value, ? FROM json_each(?)',
  );
  const dropTags = db.prepare<[number], void>('DELETE FROM pet_tags WHERE pet_id = ?');
  const order = db.prepare<[number], { id: number; document: string }>(
    'SELECT id, document FROM orders WHERE id = ?',
  );
  const insertOrder = db.prepare<[number | null, string], { id: number }>(
    'INSERT INTO orders (id, document) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const insertAd = db.prepare<[string, string], void>(
    'INSERT INTO ads (author, document) VALUES (?, ?)',
  );

  /** The id; undefined where the given one is in use. */
  const addPet = db.transaction((pet: Pet, document: string): number | undefined => {
    const id = insertPet.get(pet.id ?? null, pet.status ?? null, document)?.id;
    if (id !== undefined && pet.tags !== undefined) addTags.run(id, JSON.stringify(namesOf(pet)));
    return id;
  });

  /** False where there is no such pet. */
  const replacePet = db.transaction((id: number, pet: Pet, document: string): boolean => {
    if (updatePet.get(pet.status ?? null, document, id) === undefined) return false;
    dropTags.run(id);
    if (pet.tags !== undefined) addTags.run(id, JSON.stringify(namesOf(pet)));
    return true;
  });

  return {
    readByKey: (id: number, hash: string) => readByKey.get(id, hash),
    readByToken: (id: number, hash: string, now: number) => readByToken.get(id, hash, now),
    token: (hash: string, now: number) => token.get(hash, now),
    byStatus: (status: string, hash: string, now: number) => byStatus.get(status, hash, now),
    byStatuses: (statuses: readonly string[], hash: string, now: number) =>
      byStatuses.get(JSON.stringify(statuses), hash, now),
    byTags: (tags: readonly string[], hash: string, now: number) =>
      byTags.get(JSON.stringify(tags), hash, now),
    inventory: (hash: string) => inventory.all(hash),
    order: (id: number) => order.get(id),
    /** The id; undefined where the given one is in use. */
    insertOrder: (id: number | undefined, document: string): number | undefined =>
      insertOrder.get(id ?? null, document)?.id,
    insertAd: (author: string, document: string): void => {
      insertAd.run(author, document);
    },
    addPet: (pet: Pet, document: string) => addPet.immediate(pet, document),
    replacePet: (id: number, pet: Pet, document: string) => replacePet.immediate(id, pet, document),
  };
};

/** What the hand-written peer asks of a database. */
export type Statements = Later<ReturnType<typeof prepare>>;

/** The document's text with its id in front. */
export const withId = (id: number, document: string): string =>
  document === '{}' ? `{"id":${id}}` : `{"id":${id},${document.slice(1)}`;
