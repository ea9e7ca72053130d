/** Fills a new PostgreSQL database for the peers: `node seed.js URL PETS`. */

import { Client } from 'pg';
import { newOrder, orderIds, peerCredentials, storedPet } from '../../data/pets';
import { digest } from '../database';
import { schema } from './schema';

const inTenYears = Date.now() + 10 * 365 * 24 * 60 * 60 * 1000;
const batch = 10_000;

const addPets = async (db: Client, from: number, to: number, pets: number): Promise<void> => {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const stored = numbers.map((number) => storedPet(number, pets));
  const documents = stored.map(({ id: _, ...pet }) => JSON.stringify(pet));
  const statuses = stored.map(({ status }) => status);
  await db.query('INSERT INTO pets SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])', [
    ...[numbers, statuses, documents],
  ]);
  const tags = stored.flatMap((pet) => pet.tags.map(({ name }) => ({ name, id: pet.id })));
  await db.query('INSERT INTO pet_tags SELECT * FROM unnest($1::text[], $2::bigint[])', [
    ...[tags.map(({ name }) => name), tags.map(({ id }) => id)],
  ]);
};

const seed = async (url: string, pets: number): Promise<void> => {
  const db = new Client(url);
  await db.connect();
  await db.query(schema);
  await db.query('INSERT INTO api_keys VALUES ($1)', [digest(peerCredentials.apiKey)]);
  const addToken = 'INSERT INTO tokens VALUES ($1, $2, $3, $4)';
  const { petsToken, adsToken } = peerCredentials;
  await db.query(addToken, [digest(petsToken), 'bench', 'write:pets read:pets', inTenYears]);
  await db.query(addToken, [digest(adsToken), 'bench', 'write:ads read:ads', inTenYears]);
  for (let from = 1; from <= pets; from += batch) {
    await addPets(db, from, Math.min(pets, from + batch - 1), pets);
  }
  const orders = orderIds.map((number) => JSON.stringify(newOrder(number)));
  await db.query('INSERT INTO orders SELECT * FROM unnest($1::bigint[], $2::text[])', [
    ...[orderIds, orders],
  ]);
  for (const table of ['pets', 'orders']) {
    await db.query(`SELECT setval('${table}_id_seq', (SELECT max(id) FROM ${table}))`);
  }
  await db.end();
};

void seed(process.argv[2] ?? '', Number(process.argv[3]));
