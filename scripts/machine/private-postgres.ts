/** A private PostgreSQL server in a temporary folder. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { findPostgres, makeCluster } from './postgres-cluster';

/** A running server. */
export interface PrivatePostgres {
  /** Of its first process, which starts all others. */
  readonly pid: number;
  /** The database called `postgres`. */
  readonly url: string;
  /** Ends it and removes all that it kept. */
  stop(): Promise<void>;
}

const timeoutMilliseconds = 60_000;

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

const untilReady = async (server: ChildProcess, url: string): Promise<void> => {
  const deadline = performance.now() + timeoutMilliseconds;
  while (!(await takesConnections(url))) {
    if (server.exitCode !== null || performance.now() > deadline) {
      throw new Error('PostgreSQL does not start');
    }
    await setTimeout(20);
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
  try {
    await untilReady(server, url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: server.pid ?? 0, url, stop };
};
