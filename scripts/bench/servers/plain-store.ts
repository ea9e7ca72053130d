/** The plain peer's database access: Knex and sqlite3, as the README of Knex shows them. */

import knex from 'knex';
import { digest } from './database';
import { databasePath } from './settings';
import type { Resource } from './store';

const db = knex({
  client: 'sqlite3',
  connection: { filename: databasePath },
  useNullAsDefault: true,
  pool: {
    afterCreate: (
      connection: { exec(sql: string, done: (error: unknown) => void): void },
      done: (error: unknown, connection: unknown) => void,
    ) =>
      connection.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;`,
        (error) => done(error, connection),
      ),
  },
});

const read = (row: { id: number; document: string } | undefined): Resource | undefined =>
  row && { id: row.id, ...JSON.parse(row.document) };

const tagRows = (id: number, pet: Resource) => {
  const tags = (pet['tags'] ?? []) as { readonly name?: string }[];
  const names = new Set(tags.flatMap(({ name }) => (name === undefined ? [] : name)));
  return [...names].map((name) => ({ name, pet_id: id }));
};

export const knowsKey = async (key: string): Promise<boolean> =>
  (await db('api_keys')
    .where({ hash: digest(key) })
    .first()) !== undefined;

/** Whose the token is, with its scopes. */
export const findToken = (token: string): Promise<{ user: string; scopes: string } | undefined> =>
  db('tokens')
    .where({ hash: digest(token) })
    .where('expires_at', '>', Date.now())
    .first();

export const findPet = async (id: number) => read(await db('pets').where({ id }).first());

export const petsByStatus = async (statuses: readonly string[]) =>
  (await db('pets').whereIn('status', statuses).orderBy('id')).map(read);

export const petsByTags = async (tags: readonly string[]) => {
  const tagged = db('pet_tags').whereIn('name', tags).select('pet_id');
  return (await db('pets').whereIn('id', tagged).orderBy('id')).map(read);
};

export const inventory = async (): Promise<Resource> => {
  const counted = db('pets').whereNotNull('status').groupBy('status').select('status');
  const rows: { status: string; count: number }[] = await counted.count({ count: '*' });
  const counts = rows.map(({ status, count }) => [status, count]);
  return { available: 0, pending: 0, sold: 0, ...Object.fromEntries(counts) };
};

export const addPet = ({ id, ...pet }: Resource): Promise<Resource> =>
  db.transaction(async (trx) => {
    const row = { id, status: pet['status'], document: JSON.stringify(pet) };
    const [given = 0] = await trx('pets').insert(row);
    const rows = tagRows(given, pet);
    if (rows.length > 0) await trx('pet_tags').insert(rows);
    return { id: given, ...pet };
  });

export const updatePet = ({ id = 0, ...pet }: Resource): Promise<Resource | undefined> =>
  db.transaction(async (trx) => {
    const row = { status: pet['status'], document: JSON.stringify(pet) };
    if ((await trx('pets').where({ id }).update(row)) === 0) return undefined;
    await trx('pet_tags').where({ pet_id: id }).delete();
    const rows = tagRows(id, pet);
    if (rows.length > 0) await trx('pet_tags').insert(rows);
    return { id, ...pet };
  });

export const findOrder = async (id: number) => read(await db('orders').where({ id }).first());

export const addOrder = async ({ id, ...order }: Resource): Promise<Resource> => {
  const [given = 0] = await db('orders').insert({ id, document: JSON.stringify(order) });
  return { id: given, ...order };
};

export const addAd = async (ad: Resource, author: string): Promise<Resource> => {
  await db('ads').insert({ author, document: JSON.stringify(ad) });
  return ad;
};
