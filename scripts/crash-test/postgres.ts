/** A PostgreSQL server that is kept running while its processes are killed. */

import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeCluster } from '../machine/postgres-cluster';
import { supervise } from '../machine/supervise';
import { until } from '../machine/until';

/** The log line of a server that takes connections. */
const readyNotice = 'database system is ready to accept connections';

/** A file of settings that is there while commits are held. */
const heldFile = 'held.conf';
/** Long enough for every process of the server to read it, and for changes to pile up. */
const heldMilliseconds = 200;

/** The settings with which commits reach the disk. Checkpoints are often, so that recoveries begin at various points of them. */
export const durableSettings = [
  ...['lc_messages=C', 'fsync=on', 'synchronous_commit=on', 'checkpoint_timeout=30s'],
];

/**
 * Makes a cluster in the folder and keeps a server running on it. Resolves when it takes connections.
 *
 * @param binaries as findPostgres gives it
 * @param folder must not exist; PostgreSQL's user must be able to reach the folder that it will be in
 * @throws Error where it does not take connections in a minute
 */
export const runPostgres = async (binaries: string, folder: string, logFile: string) => {
  await mkdir(folder);
  const { data, url, start } = await makeCluster(binaries, folder);
  await appendFile(join(data, 'postgresql.conf'), `include_if_exists = '${heldFile}'\n`);
  const server = supervise(() => start(durableSettings, ['ignore', 'pipe', 'pipe'], true), logFile);
  await until(`PostgreSQL starts; its log is ${logFile}`, () =>
    server.said().includes(readyNotice),
  );
  return {
    url: url(),
    server,
    /**
     * Makes commits wait for a standby that does not exist: they are written and not confirmed. Resolves after a moment of
     * that; only a restarted server confirms again.
     */
    async holdCommits(): Promise<void> {
      const file = join(data, heldFile);
      await writeFile(file, "synchronous_standby_names = 'missing'\n");
      const pid = server.pid();
      if (pid !== undefined) process.kill(pid, 'SIGHUP');
      await setTimeout(heldMilliseconds);
      await rm(file);
    },
  };
};

export type SupervisedPostgres = Awaited<ReturnType<typeof runPostgres>>;
