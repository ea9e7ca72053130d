/** A PostgreSQL server of a test's own, which may be stopped, frozen and cut off. */

import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { Client } from 'pg';
import { findPostgres, makeCluster } from '../../scripts/machine/postgres-cluster';
import { takesConnections } from '../../scripts/machine/private-postgres';
import { childrenOf } from '../../scripts/machine/processes';
import { until } from '../../scripts/machine/until';

const binaries = findPostgres();

const isWanted = binaries !== undefined || process.env['REQUIRE_POSTGRES'] === 'true';
if (!isWanted) process.stderr.write('PostgreSQL is not installed: its tests are skipped\n');

/** `describe` where PostgreSQL is installed; else what is in it is skipped, or fails where REQUIRE_POSTGRES=true. */
export const describeOnPostgres = isWanted ? describe : describe.skip;

/** A server and the blows that it can be dealt. */
export interface PrivatePostgres {
  /** The database called `postgres`, or another one. */
  url(database?: string): string;
  /** Runs a statement over a connection that is closed afterwards. */
  query(sql: string): Promise<object[]>;
  /** A connection of the test's own; closed after the tests. */
  connect(): Promise<Client>;
  /** Resolves when the server takes connections. */
  start(): Promise<void>;
  /** Kills it: connections break without a message. */
  stop(): Promise<void>;
  /** Stops all its processes where they are: no client gets a response until they go on. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** All users are trusted but `careful`, who needs a password. */
const hostRules = `
host all careful 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`;

/** Some come and go by themselves. */
const tryToSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
};

const settings = [
  ...['fsync=off', 'max_connections=40', 'log_min_messages=fatal'],
  'dynamic_shared_memory_type=mmap',
];

const serve = async (folderOfBinaries: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const cluster = await makeCluster(folderOfBinaries, folder);
  await writeFile(join(cluster.data, 'pg_hba.conf'), hostRules);
  const { url } = cluster;
  const clients: Client[] = [];
  let server: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();

  const connect = async (): Promise<Client> => {
    const client = new Client(url());
    // It ends with its server.
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };

  const query = async (sql: string): Promise<object[]> => {
    const client = await connect();
    const { rows } = await client.query(sql).finally(() => client.end());
    return rows;
  };

  const start = async (): Promise<void> => {
    const started = cluster.start(settings, 'ignore');
    ended = new Promise((resolve) => started.once('exit', resolve));
    server = started;
    await until('PostgreSQL takes connections', () => takesConnections(url()));
  };

  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    const pid = server?.pid;
    if (pid === undefined) throw new Error('PostgreSQL does not run');
    // The first one, which starts others, before those that it has started.
    process.kill(pid, signal);
    for (const child of await childrenOf(pid)) tryToSignal(child.pid, signal);
  };

  const stop = async (): Promise<void> => {
    server?.kill('SIGQUIT');
    await ended;
    server = undefined;
  };

  const remove = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
    await stop();
    await rm(folder, { recursive: true });
  };

  const postgres: PrivatePostgres = {
    url,
    query,
    connect,
    start,
    stop,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  };
  return { postgres, remove };
};

/** Runs a server for the tests of a describeOnPostgres. */
export const usePrivatePostgres = (): (() => PrivatePostgres) => {
  let served: Awaited<ReturnType<typeof serve>> | undefined;
  beforeAll(async () => {
    if (binaries === undefined) throw new Error('PostgreSQL is not installed');
    served = await serve(binaries);
    await served.postgres.start();
  }, 60_000);
  afterAll(() => served?.remove());
  return () => {
    if (served === undefined) throw new Error('PostgreSQL has not started');
    return served.postgres;
  };
};
