/** A private PostgreSQL cluster in a folder, on a free port. */

import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port';
import { run } from './run-program';

const debianFolder = '/usr/lib/postgresql';

/** Lists folders of binaries: that of pg_config, and those of Debian's versions, newest first. */
const candidates = (): readonly string[] => {
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  const folders = newestFirst.map((version) => join(debianFolder, version, 'bin'));
  return stdout ? [stdout.trim(), ...folders] : folders;
};

/** Finds the folder with PostgreSQL's binaries; undefined where it is not installed. */
export const findPostgres = (): string | undefined =>
  candidates().find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );

/** PostgreSQL refuses to run as root: then it is run as its own user. */
const ownerOf = async (): Promise<{ uid?: number; gid?: number }> => {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (which: string): Promise<number> =>
    Number(await run(['id', which, 'postgres'], '/'));
  return { uid: await idOf('-u'), gid: await idOf('-g') };
};

/** A cluster without a running server. */
export interface PostgresCluster {
  /** The folder of its data and its configuration. */
  readonly data: string;
  /** Returns the URL of the database called `postgres`, or of another one. */
  url(database?: string): string;
  /** Starts a server on it, with `name=value` settings. */
  start(settings: readonly string[], stdio: StdioOptions, leadsGroup?: boolean): ChildProcess;
  /** Runs one of the binaries as the owner of the data. Rejects with what it says. */
  run(program: string, ...args: string[]): Promise<void>;
}

/**
 * Finds a place for a cluster: its data is still to be made.
 *
 * @param binaries as findPostgres gives it
 * @param folder is empty; PostgreSQL's user must be able to reach the folder that it is in
 */
export const placeCluster = async (binaries: string, folder: string): Promise<PostgresCluster> => {
  const owner = await ownerOf();
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const place = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  return {
    data,
    url: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start(settings, stdio, leadsGroup = false) {
      const all = [...place, ...settings].flatMap((setting) => ['-c', setting]);
      const options = { ...owner, cwd: folder, stdio, detached: leadsGroup };
      return spawn(join(binaries, 'postgres'), ['-D', data, ...all], options);
    },
    async run(program, ...args) {
      await run([join(binaries, program), ...args], folder, owner);
    },
  };
};

/**
 * Makes a cluster whose user `postgres` needs no password. The parameters are those of placeCluster.
 *
 * @throws Error with what `initdb` says
 */
export const makeCluster = async (binaries: string, folder: string): Promise<PostgresCluster> => {
  const cluster = await placeCluster(binaries, folder);
  const settings = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '-N'];
  await cluster.run('initdb', '-D', cluster.data, ...settings);
  return cluster;
};
