/** New and empty databases for tests, of the kind that the jest project names; see jest.config.js for the names of test files. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { Client } from 'pg';
import { isPooled, poolerServer, postgresServer } from './run/postgres-server';

/** A database of one test. */
export interface NewDatabase {
  readonly url: string;
  /** Removes it; all connections must be closed. */
  remove(): Promise<void>;
}

/** True where the tests run on PostgreSQL. */
export const isPostgres: boolean = Reflect.get(globalThis, 'isPostgres') === true;

const newFile = async (): Promise<NewDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'services-'));
  return {
    url: `sqlite:${join(folder, 'made', 'on-opening.sqlite')}`,
    remove: () => rm(folder, { recursive: true }),
  };
};

const runOn = async (server: string, sql: string): Promise<void> => {
  const client = new Client(server);
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

/**
 * A schema stands for a database: dropping a database takes more than a second, since the server writes back everything first.
 * The name says when it was made, so that what killed tests left is found.
 */
const newSchema = async (): Promise<NewDatabase> => {
  const server = await postgresServer();
  const name = `test_${Math.floor(Date.now() / 1000)}_${randomUUID().slice(0, 8)}`;
  await runOn(server, `create schema ${name}`);
  if (isPooled) return behindPooler(server, name);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${name}`);
  return {
    // The driver takes a plus for a plus.
    url: url.href.replaceAll('+', '%20'),
    remove: () => runOn(server, `drop schema ${name} cascade`),
  };
};

/** A pooler passes no options on, so a user stands for the schema. */
const behindPooler = async (server: string, name: string): Promise<NewDatabase> => {
  await runOn(server, `create role ${name} superuser login`);
  await runOn(server, `alter role ${name} set search_path = ${name}`);
  const url = Object.assign(new URL(await poolerServer()), { username: name });
  url.searchParams.set('pgbouncer', 'true');
  return {
    url: url.href,
    remove: () => runOn(server, `drop schema ${name} cascade; drop role ${name}`),
  };
};

/** Makes a database without tables. */
export const newDatabase = (): Promise<NewDatabase> => (isPostgres ? newSchema() : newFile());

/** Makes databases for the tests of a file, gives their URLs, and removes them after the last test. */
export const useNewDatabases = (): (() => Promise<string>) => {
  const made: NewDatabase[] = [];
  afterAll(async () => {
    for (const database of made) await database.remove();
  });
  return async () => {
    const database = await newDatabase();
    made.push(database);
    return database.url;
  };
};
