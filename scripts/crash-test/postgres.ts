/** A PostgreSQL server that is kept running while its processes are killed. */

import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeCluster } from '../machine/postgres-cluster';
import { type Supervised, supervise } from '../machine/supervise';

/** The log line of a server that takes connections. */
const readyNotice = 'database system is ready to accept connections';
const timeoutMilliseconds = 60_000;

/** A file of settings that is there while commits are held. */
const heldFile = 'held.conf';
/** Long enough for every process of the server to read it, and for changes to pile up. */
const heldMilliseconds = 200;

const settings = [
  'lc_messages=C',
  // What is committed is on the disk.
  'fsync=on',
  'synchronous_commit=on',
  // Often, so that recoveries begin at various points of checkpoints.
  'checkpoint_timeout=30s',
];

/** A database server under test. */
export interface TestedDatabase {
  /** The URL for the program. */
  readonly url: string;
  /** Returns the URL of the server that has what is committed, now. */
  primaryUrl(): string;
  /** Counts how often a server began to serve it. */
  starts(): number;
  /** Present where a standby takes the place of the primary. */
  readonly pair?: {
    /** Kills the primary. Resolves when the standby has been promoted. */
    failOver(): Promise<void>;
    /** Makes what was killed the standby. Resolves when it has everything. */
    rebuild(): Promise<void>;
  };
  stop(): Promise<void>;
}

/** A server that is kept running. */
export interface SupervisedPostgres extends TestedDatabase {
  readonly server: Supervised;
  /**
   * Makes commits wait for a standby that does not exist: they are written and not confirmed. Resolves after a moment of
   * that; only a restarted server confirms again.
   */
  holdCommits(): Promise<void>;
}

/**
 * Makes a cluster in the folder and keeps a server running on it. Resolves when it takes connections.
 *
 * @param binaries as findPostgres gives it
 * @param folder must not exist; PostgreSQL's user must be able to reach the folder that it will be in
 * @throws Error where it does not take connections in a minute
 */
export const runPostgres = async (
  binaries: string,
  folder: string,
  logFile: string,
): Promise<SupervisedPostgres> => {
  await mkdir(folder);
  const { data, url, start } = await makeCluster(binaries, folder);
  await appendFile(join(data, 'postgresql.conf'), `include_if_exists = '${heldFile}'\n`);
  const server = supervise(() => start(settings, ['ignore', 'pipe', 'pipe'], true), logFile);
  const begin = performance.now();
  while (!server.said().includes(readyNotice)) {
    if (performance.now() - begin > timeoutMilliseconds) {
      throw new Error(`PostgreSQL does not start; its log is ${logFile}`);
    }
    await setTimeout(20);
  }
  const holdCommits = async (): Promise<void> => {
    const file = join(data, heldFile);
    await writeFile(file, "synchronous_standby_names = 'missing'\n");
    const pid = server.pid();
    if (pid !== undefined) process.kill(pid, 'SIGHUP');
    await setTimeout(heldMilliseconds);
    await rm(file);
  };
  return {
    url: url(),
    primaryUrl: () => url(),
    starts: server.starts,
    stop: () => server.stop('SIGINT'),
    server,
    holdCommits,
  };
};
