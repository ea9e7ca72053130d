/** The databases of the servers, in SQLite or PostgreSQL: each is filled once, and each start works on a copy. */

import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { pinProcess } from '../../machine/cores';
import { startPrivatePostgres } from '../../machine/private-postgres';
import { atEnd, temporaryFolder } from '../../machine/run-main';

/** One kind of database. All that it makes is removed at the end. */
export interface Databases {
  /** Makes an empty database, or a copy of another one that is not in use; returns its URL. */
  create(template?: string): Promise<string>;
  /** Does what is due after a database was filled. */
  settle(url: string): Promise<void>;
  remove(url: string): Promise<void>;
}

const suffixes = ['', '-wal', '-shm'];
const pathOf = (url: string): string => url.slice('sqlite:'.length);

/** Keeps databases as files in this folder: temporary folders are often in memory, where nothing is durable. */
export const sqliteDatabases = (): Databases => {
  const folder = temporaryFolder('databases-', join(__dirname, '..'));
  let count = 0;
  return {
    async create(template) {
      count += 1;
      const path = join(folder, `${count}.sqlite`);
      for (const suffix of template === undefined ? [] : suffixes) {
        const source = pathOf(template ?? '') + suffix;
        if (existsSync(source)) copyFileSync(source, path + suffix);
      }
      return `sqlite:${path}`;
    },
    settle: async () => undefined,
    async remove(url) {
      for (const suffix of suffixes) rmSync(pathOf(url) + suffix, { force: true });
    },
  };
};

const settings = [
  // A confirmed write survives a power cut.
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=512MB',
  'max_connections=500',
  // No checkpoint falls into one contestant's turn and not into another's.
  'checkpoint_timeout=1h',
  'max_wal_size=8GB',
];

const run = async (url: string, ...statements: string[]): Promise<void> => {
  const client = new Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/**
 * Starts a private PostgreSQL server, as durable as one in production.
 *
 * @param cores where it runs; undefined: wherever the system likes
 */
export const postgresDatabases = async (
  cores: readonly number[] | undefined,
): Promise<Databases> => {
  const server = await startPrivatePostgres(() => settings);
  atEnd(server.stop);
  if (cores !== undefined) pinProcess(server.pid, ...cores);
  let count = 0;
  return {
    async create(template) {
      count += 1;
      const url = new URL(server.url);
      url.pathname = `/bench_${count}`;
      const source = template === undefined ? '' : ` TEMPLATE ${nameOf(template)}`;
      await run(server.url, `CREATE DATABASE bench_${count}${source}`);
      return url.href;
    },
    settle: (url) => run(url, 'VACUUM ANALYZE'),
    remove: (url) => run(server.url, `DROP DATABASE ${nameOf(url)} WITH (FORCE)`),
  };
};
