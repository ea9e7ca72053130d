/** A private PostgreSQL server in a temporary folder. */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findPostgres, makeCluster } from './postgres-cluster';
import { until } from './until';

/** A running server. */
export interface PrivatePostgres {
  /** Of its first process, which starts all others. */
  readonly pid: number;
  /** The database called `postgres`. */
  readonly url: string;
  /** Ends it and removes all that it kept. */
  stop(): Promise<void>;
}

/** Tells whether a server at the URL takes connections. */
export const takesConnections = async (url: string): Promise<boolean> => {
  const client = new Client(url);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
};

/**
 * Starts it, with `name=value` settings.
 *
 * @param settings are made for the folder with its binaries
 * @throws Error where PostgreSQL is not installed, or takes no connections within a minute
 */
export const startPrivatePostgres = async (
  settings: (binaries: string) => readonly string[],
): Promise<PrivatePostgres> => {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error('PostgreSQL is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const cluster = await makeCluster(binaries, folder);
  // A process group of its own: it is ended after the programs that use it.
  const server = cluster.start(settings(binaries), 'ignore', true);
  const ended = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true });
  };
  const url = cluster.url();
  const isReady = (): Promise<boolean> => takesConnections(url);
  await until('PostgreSQL takes connections', isReady, { child: server }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { pid: server.pid ?? 0, url, stop };
};
