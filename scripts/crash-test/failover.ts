/** A primary and its synchronous standby, which takes its place when it is killed. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeCluster, type PostgresCluster, placeCluster } from '../machine/postgres-cluster';
import { takesConnections } from '../machine/private-postgres';
import { childrenOf, kill, killGroup } from '../machine/processes';
import { until } from '../machine/until';
import { durableSettings } from './postgres';

/** A server of the pair, and its process. */
interface Node {
  readonly cluster: PostgresCluster;
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

const start = async (node: Node, log: number): Promise<void> => {
  node.child = node.cluster.start(durableSettings, ['ignore', log, log], true);
  const url = node.cluster.url();
  await until('a server of the pair starts', () => takesConnections(url), { child: node.child });
};

/** Kills all processes of a server at once: the first one, and those that it started. Resolves when it is gone. */
const killNode = async (node: Node): Promise<void> => {
  const { child } = node;
  node.child = undefined;
  if (child?.pid === undefined || (child.exitCode ?? child.signalCode) !== null) return;
  const children = await childrenOf(child.pid);
  const ended = once(child, 'close');
  for (const pid of [child.pid, ...children.map((one) => one.pid)]) kill(pid);
  await ended;
};

/** Makes a server the standby of the other one, from a new copy. Resolves when commits wait for its disk. */
const follow = async (standby: Node, primary: Node, log: number): Promise<void> => {
  const { data } = standby.cluster;
  const source = primary.cluster.url();
  await rm(data, { recursive: true, force: true });
  const asStandby = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast'];
  await standby.cluster.run('pg_basebackup', '-d', source, '-D', data, ...asStandby);
  await start(standby, log);
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
export const runPair = async (binaries: string, folder: string, logFile: string) => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  for (const path of [folder, one, other]) await mkdir(path, { mode: 0o755 });
  const log = openSync(logFile, 'a');
  let primary: Node = { cluster: await makeCluster(binaries, one), child: undefined };
  let standby: Node = { cluster: await placeCluster(binaries, other), child: undefined };
  const nodes = [primary, standby];
  let failovers = 0;
  // They lead groups of their own, so signals of a terminal do not reach them.
  process.on('exit', () => {
    for (const { child } of nodes) if (child?.pid !== undefined) killGroup(child.pid);
  });
  await start(primary, log);
  await follow(standby, primary, log);
  const hosts = nodes.map(({ cluster }) => new URL(cluster.url()).host).join(',');
  return {
    url: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
    primaryUrl: () => primary.cluster.url(),
    starts: () => 1 + failovers,
    /** Kills the primary. Resolves when the standby has been promoted. */
    async failOver() {
      await killNode(primary);
      [primary, standby] = [standby, primary];
      failovers += 1;
      await primary.cluster.run('pg_ctl', 'promote', '-w', '-D', primary.cluster.data);
    },
    /** Makes what was killed the standby. Resolves when it has everything. */
    rebuild: () => follow(standby, primary, log),
    async stop() {
      await Promise.all(nodes.map(killNode));
    },
  };
};

export type Pair = Awaited<ReturnType<typeof runPair>>;
