/** Fills a database of ours with very many pets: a thousand by HTTP, which are then copied by SQL. */

import SqliteDatabase from 'better-sqlite3';
import { newPet } from '../../data/pets';
import type { Request } from '../../load/request';
import { byToken, json, petPath, write } from '../../scenarios/requests';
import type { Running } from '../../targets/contestant';
import { openClient } from '../../targets/postgres-databases';
import { sendAll } from '../../targets/seed-ours';

/** How many are copied, their ids 1 to that. */
export const copiedPets = 1000;
/** How many have the status that is asked for, however many there are: so much is returned. */
export const foundPets = 100;

const collection = `(SELECT key FROM collections WHERE service = 'petstore' AND name = 'pets')`;

const copiesTo = (times: number): string => `WITH RECURSIVE copies (copy) AS (
  SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ${times - 1}
)`;

/** The same for SQLite and PostgreSQL. */
const copyStatements = (times: number): readonly string[] => [
  `${copiesTo(times)}
   INSERT INTO items (collection, id, owner, document, format)
   SELECT collection, id + ${copiedPets} * copy, owner,
     '{"id":' || (id + ${copiedPets} * copy) || substr(document, length('{"id":' || id) + 1), format
   FROM copies CROSS JOIN items WHERE collection = ${collection} ORDER BY copy, id`,
  // Through the unique index of items: SQLite joins by indexes alone.
  `${copiesTo(times)}
   INSERT INTO item_index (index_key, value, id, item)
   SELECT source.index_key, source.value, copied.id, copied.key
   FROM item_index source
   JOIN collection_indexes kept ON kept.key = source.index_key AND kept.collection = ${collection}
   CROSS JOIN copies
   JOIN items copied ON copied.collection = ${collection}
     AND copied.id = source.id + ${copiedPets} * copy
   ORDER BY source.index_key, source.value, copied.id`,
  `UPDATE value_counts SET count = count * ${times} WHERE index_key IN (
     SELECT key FROM collection_indexes WHERE collection = ${collection}
   )`,
];

const runOnSqlite = (path: string, statements: readonly string[]): void => {
  const db = new SqliteDatabase(path);
  for (const statement of statements) db.exec(statement);
  db.close();
};

const runOnPostgres = async (url: string, statements: readonly string[]): Promise<void> => {
  const client = await openClient(url);
  for (const statement of [...statements, 'VACUUM ANALYZE']) await client.query(statement);
  await client.end();
};

/** Copies the pets of a database that nobody uses until there are that many. */
export const copyPets = async (databaseUrl: string, pets: number): Promise<void> => {
  const statements = pets === copiedPets ? [] : copyStatements(pets / copiedPets);
  if (databaseUrl.startsWith('sqlite:')) {
    runOnSqlite(databaseUrl.slice('sqlite:'.length), statements);
  } else {
    await runOnPostgres(databaseUrl, statements);
  }
};

const addPets = async (
  running: Running,
  count: number,
  pet: (number: number) => object,
): Promise<void> => {
  const headers = byToken(running.credentials);
  const request = (number: number): Request => write('POST', petPath(), json(pet(number)), headers);
  await sendAll(running, count, request, () => {});
};

/** Adds the pets that are copied. */
export const addCopiedPets = (running: Running): Promise<void> =>
  addPets(running, copiedPets, (id) => ({ id, ...newPet(id) }));

/** Adds those that are found. Their ids follow on all others, so that the server assigns none of those. */
export const addFoundPets = (running: Running, pets: number): Promise<void> =>
  addPets(running, foundPets, (number) => ({ id: pets + number, ...newPet(number, 'pending') }));
