/** Everything that the framework peers ask of the database, as prepared statements of better-sqlite3. */

import type { Database } from 'better-sqlite3';
import { digest } from './database';
import type { Later } from './soon';

/** A resource as JSON knows it. */
export type Resource = Record<string, unknown> & { readonly id?: number };

/** A resource as it is stored: its document lacks the id. */
export interface Row {
  readonly id: number;
  readonly document: string;
}

export const read = ({ id, document }: Row): Resource => ({ id, ...JSON.parse(document) });

/** The names of its tags, each once. */
export const tagNames = (pet: Resource): readonly string[] => {
  const tags = (pet['tags'] ?? []) as { readonly name?: string }[];
  return [...new Set(tags.flatMap(({ name }) => (name === undefined ? [] : name)))];
};

/** Prepares the statements. */
export const storeIn = (db: Database) => {
  const keys = db.prepare<[string], unknown>('SELECT 1 FROM api_keys WHERE hash = ?');
  const tokens = db.prepare<[string, number], { user: string; scopes: string }>(
    'SELECT user, scopes FROM tokens WHERE hash = ? AND expires_at > ?',
  );
  const find = db.prepare<[number], Row>('SELECT id, document FROM pets WHERE id = ?');
  // SQLite finds the rows of one status in the order of their ids; where there may be several it reads the whole table.
  const byStatus = db.prepare<[string], Row>(
    'SELECT id, document FROM pets WHERE status = ? ORDER BY id',
  );
  const byStatuses = db.prepare<[string], Row>(
    `SELECT id, document FROM pets
     WHERE status IN (SELECT value FROM json_each(?)) ORDER BY id`,
  );
  const byTags = db.prepare<[string], Row>(
    `SELECT id, document FROM pets WHERE id IN (
       SELECT pet_id FROM pet_tags WHERE name IN (SELECT value FROM json_each(?))
     ) ORDER BY id`,
  );
  const counts = db.prepare<[], { status: string; count: number }>(
    'SELECT status, count(*) AS count FROM pets WHERE status IS NOT NULL GROUP BY status',
  );
  const insert = db.prepare<[number | null, unknown, string], { id: number }>(
    'INSERT INTO pets (id, status, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const update = db.prepare<[unknown, string, number], { id: number }>(
    'UPDATE pets SET status = ?, document = ? WHERE id = ? RETURNING id',
  );
  const addTags = db.prepare(
    'INSERT INTO pet_tags (name, pet_id) SELECT value, ? FROM json_each(?)',
  );
  const dropTags = db.prepare('DELETE FROM pet_tags WHERE pet_id = ?');
  const order = db.prepare<[number], Row>('SELECT id, document FROM orders WHERE id = ?');
  const insertOrder = db.prepare<[number | null, string], { id: number }>(
    'INSERT INTO orders (id, document) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const insertAd = db.prepare('INSERT INTO ads (author, document) VALUES (?, ?)');

  const addPet = db.transaction(({ id, ...pet }: Resource): Resource | undefined => {
    const row = insert.get(id ?? null, pet['status'] ?? null, JSON.stringify(pet));
    if (row === undefined) return undefined;
    addTags.run(row.id, JSON.stringify(tagNames(pet)));
    return { id: row.id, ...pet };
  });

  const updatePet = db.transaction(({ id = 0, ...pet }: Resource): Resource | undefined => {
    if (update.get(pet['status'] ?? null, JSON.stringify(pet), id) === undefined) return undefined;
    dropTags.run(id);
    addTags.run(id, JSON.stringify(tagNames(pet)));
    return { id, ...pet };
  });

  const orNothing = (row: Row | undefined): Resource | undefined => row && read(row);

  return {
    /** Whether the API key is good. */
    knowsKey: (key: string): boolean => keys.get(digest(key)) !== undefined,
    /** Whose the token is, if it is good and has the scopes. */
    userOf(token: string, scopes: readonly string[]): string | undefined {
      const found = tokens.get(digest(token), Date.now());
      const granted = found?.scopes.split(' ') ?? [];
      return scopes.every((scope) => granted.includes(scope)) ? found?.user : undefined;
    },
    findPet: (id: number) => orNothing(find.get(id)),
    petsByStatus([status = '', ...more]: readonly string[]): Resource[] {
      const rows =
        more.length === 0
          ? byStatus.all(status)
          : byStatuses.all(JSON.stringify([status, ...more]));
      return rows.map(read);
    },
    petsByTags: (tags: readonly string[]) => byTags.all(JSON.stringify(tags)).map(read),
    inventory: (): Record<string, number> => ({
      ...{ available: 0, pending: 0, sold: 0 },
      ...Object.fromEntries(counts.all().map(({ status, count }) => [status, count])),
    }),
    addPet: (pet: Resource) => addPet.immediate(pet),
    updatePet: (pet: Resource) => updatePet.immediate(pet),
    findOrder: (id: number) => orNothing(order.get(id)),
    addOrder({ id, ...rest }: Resource): Resource | undefined {
      const row = insertOrder.get(id ?? null, JSON.stringify(rest));
      return row && { id: row.id, ...rest };
    },
    addAd(ad: Resource, author: string): Resource {
      insertAd.run(author, JSON.stringify(ad));
      return ad;
    },
  };
};

/** What the framework peers ask of a database. */
export type Store = Later<ReturnType<typeof storeIn>>;

/** The token of a bearer header, or nothing. */
export const bearerToken = (header: string | undefined): string | undefined =>
  header?.startsWith('Bearer ') ? header.slice(7) : undefined;
