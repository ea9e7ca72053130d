/** A PostgreSQL server of a test's own, which may be stopped, frozen and cut off. */

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { Client } from 'pg';
import { childrenOf } from '../../scripts/machine/processes';
import { freePort } from '../../scripts/machine/free-port';
import { eventually } from './eventually';

const run = promisify(execFile);

const debianFolder = '/usr/lib/postgresql';

/** Where the binaries may be: where pg_config says, and where Debian keeps its versions, newest first. */
const candidates = (): string[] => {
  const said = String(spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout ?? '');
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  return [said.trim(), ...newestFirst.map((version) => join(debianFolder, version, 'bin'))];
};

const binaries = candidates().find((folder) => existsSync(join(folder, 'initdb')));

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
  /** Resolves when it has ended: at once, without a word to anybody. */
  stop(): Promise<void>;
  /** Stops all its processes where they are; nobody hears anything until they go on. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** PostgreSQL refuses to run as root: then it is run as its own user. */
const owner = async (): Promise<{ uid?: number; gid?: number }> => {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (which: string): Promise<number> =>
    Number((await run('id', [which, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
};

/** Everybody is trusted but `careful`, of whom a password is wanted. */
const hostRules = `
host all careful 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`;

const makeCluster = async (folderOfBinaries: string) => {
  const { uid, gid } = await owner();
  const as = { uid, gid };
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  const data = join(folder, 'data');
  const made = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '-N'];
  await run(join(folderOfBinaries, 'initdb'), made, { ...as, cwd: folder });
  await writeFile(join(data, 'pg_hba.conf'), hostRules);
  return { folder, data, as };
};

/** Some come and go by themselves. */
const tryToSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
};

const serve = async (folderOfBinaries: string) => {
  const { folder, data, as } = await makeCluster(folderOfBinaries);
  const port = await freePort();
  const settings = [
    ...['fsync=off', 'listen_addresses=127.0.0.1', `port=${port}`],
    ...[`unix_socket_directories=${folder}`, 'max_connections=40', 'log_min_messages=fatal'],
  ];
  const clients: Client[] = [];
  let server: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();

  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`;

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
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const started = spawn(join(folderOfBinaries, 'postgres'), args, {
      ...as,
      cwd: folder,
      stdio: 'ignore',
    });
    ended = new Promise((resolve) => started.once('exit', resolve));
    server = started;
    await eventually('PostgreSQL takes connections', () =>
      query('select 1').then(
        () => true,
        () => undefined,
      ),
    );
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
    ...{ url, query, connect, start, stop },
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
