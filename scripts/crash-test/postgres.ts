/** A PostgreSQL server of one's own, in a folder, for tests that kill it. */

import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../machine/free-port';
import { type Supervised, supervise } from '../machine/supervise';

const run = promisify(execFile);

const debianFolder = '/usr/lib/postgresql';

/** Where the binaries may be: where pg_config says, and where Debian keeps its versions, newest first. */
const candidates = async (): Promise<string[]> => {
  const said = await run('pg_config', ['--bindir']).catch(() => ({ stdout: '' }));
  const versions = await readdir(debianFolder).catch(() => []);
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  return [said.stdout.trim(), ...newestFirst.map((version) => join(debianFolder, version, 'bin'))];
};

/** The folder with PostgreSQL's binaries; undefined where there is none. */
export const findPostgres = async (): Promise<string | undefined> =>
  (await candidates()).find((folder) =>
    ['initdb', 'postgres'].every((name) => folder !== '' && existsSync(join(folder, name))),
  );

/** PostgreSQL refuses to run as root: then it is run as its own user. */
const ownerOf = async (): Promise<{ uid?: number; gid?: number }> => {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (which: string): Promise<number> =>
    Number((await run('id', [which, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
};

/** What the server logs when it takes connections. */
const readyNotice = 'database system is ready to accept connections';
const timeoutMilliseconds = 60_000;

/** A file of settings that is there while commits are held. */
const heldFile = 'held.conf';
/** Long enough for every process of the server to read it, and for changes to pile up. */
const heldMilliseconds = 200;

/** A server that is kept running. */
export interface PrivatePostgres {
  readonly url: string;
  readonly server: Supervised;
  /**
   * From now on commits are written and not confirmed: they wait for a standby that is not there. Resolves after a
   * moment of that; only a server that is started anew confirms again.
   */
  holdCommits(): Promise<void>;
}

/**
 * Makes a cluster in the folder and keeps a server running on it, at a port of its own. Resolves when it takes connections.
 *
 * @param binaries - as findPostgres gives it
 * @param folder - must not exist; everybody must be able to reach the folder that it will be in
 */
export const runPrivatePostgres = async (
  binaries: string,
  folder: string,
  logFile: string,
): Promise<PrivatePostgres> => {
  const owner = await ownerOf();
  await mkdir(folder);
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C'];
  await run(join(binaries, 'initdb'), initdb, { ...owner, cwd: folder });
  await appendFile(join(data, 'postgresql.conf'), `include_if_exists = '${heldFile}'\n`);
  const port = await freePort();
  const settings = [
    'lc_messages=C',
    // What is committed is on the disk.
    'fsync=on',
    'synchronous_commit=on',
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    // Often, so that recoveries begin at various points of checkpoints.
    'checkpoint_timeout=30s',
  ];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const launch = () =>
    spawn(join(binaries, 'postgres'), args, {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  const server = supervise(launch, logFile);
  const begin = performance.now();
  while (!server.said().includes(readyNotice)) {
    if (performance.now() - begin > timeoutMilliseconds) {
      throw new Error(`PostgreSQL does not start; its log is ${logFile}`);
    }
    await setTimeout(20);
  }
  const holdCommits = async (): Promise<void> => {
    const file = join(data, heldFile);
    await writeFile(file, "synchronous_standby_names = 'nobody'\n");
    const pid = server.pid();
    if (pid !== undefined) process.kill(pid, 'SIGHUP');
    await setTimeout(heldMilliseconds);
    await rm(file);
  };
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, server, holdCommits };
};
