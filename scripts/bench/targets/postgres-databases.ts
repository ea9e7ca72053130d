/** Databases in a PostgreSQL server: one is filled for a contestant, and each start works on a copy of it. */

import { Client } from 'pg';
import type { Credentials } from '../data/pets';
import { atInterruption } from '../machine/interrupt';
import type { Prepared, Running } from './contestant';
import { openMeter } from './database-meter';
import type { DatabaseServer } from './postgres-server';

/** Opens a connection. Where it is lost, the statement at hand says so, or the next one. */
export const openClient = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const run = async (url: string, ...statements: string[]): Promise<void> => {
  const client = await openClient(url);
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

const drop = (name: string): string => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;

const urlOf = ({ url }: DatabaseServer, name: string): string => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
};

/**
 * Makes an empty database, or a copy of another one.
 * @returns its URL
 */
export const createDatabase = async (
  server: DatabaseServer,
  name: string,
  template?: string,
): Promise<string> => {
  const source = template === undefined ? '' : ` TEMPLATE ${template}`;
  await run(server.url, drop(name), `CREATE DATABASE ${name}${source}`);
  return urlOf(server, name);
};

/** Drops the database, whoever uses it. */
export const dropDatabase = ({ url }: DatabaseServer, name: string): Promise<void> =>
  run(url, drop(name));

/** How a contestant fills a database, and serves from it. */
export interface DatabaseUser {
  readonly id: string;
  fill(url: string): Promise<Credentials>;
  start(
    url: string,
    credentials: Credentials,
    core: number | undefined,
    cleanUp: () => Promise<void>,
  ): Promise<Running>;
}

/** Fills a database for a contestant. It is dropped in the end, and each copy when its process stops. */
export const prepareDatabase = async (
  server: DatabaseServer,
  { id, fill, start }: DatabaseUser,
): Promise<Prepared> => {
  const filled = `bench_${process.pid}_${id.replaceAll('-', '_')}`;
  let copies = 0;
  const dispose = async (): Promise<void> => {
    await dropDatabase(server, filled);
    callOff();
  };
  const callOff = atInterruption(dispose);
  const filledUrl = await createDatabase(server, filled);
  try {
    const credentials = await fill(filledUrl);
    await run(filledUrl, 'VACUUM ANALYZE');
    return {
      async start(core) {
        copies += 1;
        const name = `${filled}_${copies}`;
        const url = await createDatabase(server, name, filled);
        const database = await openMeter(await openClient(server.url), server, name);
        const cleanUp = async (): Promise<void> => {
          await database.close();
          await dropDatabase(server, name);
        };
        return { ...(await start(url, credentials, core, cleanUp)), database };
      },
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
};
