/** A primary and its synchronous standby, which takes its place when it is killed. */

import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { makeCluster, type PostgresCluster, placeCluster } from '../machine/postgres-cluster';
import { childrenOf, kill, killGroup } from '../machine/processes';
import type { TestedDatabase } from './postgres';

const settings = ['lc_messages=C', 'fsync=on', 'synchronous_commit=on', 'checkpoint_timeout=30s'];
const timeoutMilliseconds = 60_000;

/** A server of the pair, and its process. */
interface Node {
  readonly cluster: PostgresCluster;
  readonly logFile: string;
  child: ChildProcess | undefined;
}

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client(url);
  // It may end with its server.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

const until = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + timeoutMilliseconds;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`It takes more than a minute until ${what}`);
    await setTimeout(20);
  }
};

const start = async (node: Node): Promise<void> => {
  const log = createWriteStream(node.logFile, { flags: 'a' });
  const child = node.cluster.start(settings, ['ignore', 'pipe', 'pipe'], true);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  node.child = child;
  await until(`a server starts; its log is ${node.logFile}`, async () => {
    await query(node.cluster.url(), 'select 1');
    return true;
  });
};

/** Returns the first process of a server, which starts the others, and those. */
const processesOf = async ({ child }: Node): Promise<number[]> => {
  if (child?.pid === undefined || child.exitCode !== null) return [];
  return [child.pid, ...(await childrenOf(child.pid)).map(({ pid }) => pid)];
};

/** Kills all processes of a server at once. Resolves when it is gone. */
const killNode = async (node: Node): Promise<void> => {
  const { child } = node;
  const pids = await processesOf(node);
  node.child = undefined;
  if (child === undefined || pids.length === 0) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  for (const pid of pids) kill(pid);
  await ended;
};

/** Makes a server the standby of the other one, from a new copy. Resolves when commits wait for its disk. */
const follow = async (standby: Node, primary: Node): Promise<void> => {
  const { data } = standby.cluster;
  const source = primary.cluster.url();
  await rm(data, { recursive: true, force: true });
  const asStandby = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast'];
  await standby.cluster.run('pg_basebackup', '-d', source, '-D', data, ...asStandby);
  await start(standby);
  await query(source, `alter system set synchronous_standby_names = '*'`);
  await query(source, 'select pg_reload_conf()');
  await until('the standby has everything', async () => {
    const [row] = await query(source, 'select sync_state from pg_stat_replication');
    return row?.['sync_state'] === 'sync';
  });
};

/**
 * Makes a primary and a standby in a folder, which must not exist. The database's URL names both.
 *
 * @param binaries as findPostgres gives it
 */
export const runPair = async (
  binaries: string,
  folder: string,
  logFile: string,
): Promise<TestedDatabase> => {
  const folders = ['one', 'other'].map((name) => join(folder, name)) as [string, string];
  for (const path of [folder, ...folders]) await mkdir(path, { mode: 0o755 });
  const nodeOf = (cluster: PostgresCluster): Node => ({ cluster, logFile, child: undefined });
  const nodes = [
    nodeOf(await makeCluster(binaries, folders[0])),
    nodeOf(await placeCluster(binaries, folders[1])),
  ] as const;
  let [primary, standby]: readonly [Node, Node] = nodes;
  let failovers = 0;
  // They lead groups of their own, so signals of a terminal do not reach them.
  process.on('exit', () => {
    for (const { child } of nodes) if (child?.pid !== undefined) killGroup(child.pid);
  });
  await start(primary);
  await follow(standby, primary);
  const hosts = nodes.map(({ cluster }) => new URL(cluster.url()).host).join(',');
  return {
    url: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
    primaryUrl: () => primary.cluster.url(),
    starts: () => 1 + failovers,
    pair: {
      async failOver() {
        await killNode(primary);
        [primary, standby] = [standby, primary];
        failovers += 1;
        await primary.cluster.run('pg_ctl', 'promote', '-w', '-D', primary.cluster.data);
      },
      rebuild: () => follow(standby, primary),
    },
    async stop() {
      await Promise.all(nodes.map(killNode));
    },
  };
};
