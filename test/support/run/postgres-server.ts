/** The PostgreSQL server of a run: the one that is named, or one of its own, which never waits for a disk. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgres, makeCluster } from '../../../scripts/machine/postgres-cluster';
import { takesConnections } from '../../../scripts/machine/private-postgres';
import { until } from '../../../scripts/machine/until';
import { oncePerRun } from './once-per-run';
import { startPgbouncer } from './pgbouncer';

// The data of a run is not needed after it.
const settings = [
  ...['fsync=off', 'full_page_writes=off', 'max_connections=200'],
  // Shared memory as files of the cluster is gone with them, however the server ends.
  'dynamic_shared_memory_type=mmap',
];

const urlFile = 'url';

/** Starts it; global-setup.js ends it, which knows the folder. */
const startServer = async (folder: string): Promise<void> => {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error('PostgreSQL is not installed');
  const cluster = await makeCluster(binaries, folder);
  cluster.start(settings, 'ignore').unref();
  await until('PostgreSQL takes connections', () => takesConnections(cluster.url()));
  await writeFile(join(folder, urlFile), cluster.url());
};

/** Its URL. The first test file that asks starts it. */
export const postgresServer = async (): Promise<string> => {
  const named = process.env['TEST_POSTGRES_URL'];
  if (named !== undefined) return named;
  return readFile(join(await oncePerRun('postgres', startServer), urlFile), 'utf8');
};

/** True where the tests run behind a pooler: `TEST_PGBOUNCER=true`. */
export const isPooled: boolean = process.env['TEST_PGBOUNCER'] === 'true';

const startPooler = async (folder: string): Promise<void> => {
  const { url, child } = await startPgbouncer(folder, await postgresServer());
  child.unref();
  await until('PgBouncer takes connections', () => takesConnections(url));
  await writeFile(join(folder, urlFile), url);
  await writeFile(join(folder, 'pid'), String(child.pid));
};

/** The URL of PgBouncer in front of the server. The first test file that asks starts it. */
export const poolerServer = async (): Promise<string> =>
  readFile(join(await oncePerRun('pgbouncer', startPooler), urlFile), 'utf8');
