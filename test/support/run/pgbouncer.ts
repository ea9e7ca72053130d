/** PgBouncer in transaction mode in front of a PostgreSQL server of the tests. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../scripts/machine/free-port';

export const pgbouncerBinary = '/usr/sbin/pgbouncer';

/** True where it is installed, as Debian has it. */
export const hasPgbouncer = existsSync(pgbouncerBinary);

/** The user that PgBouncer runs as where root starts it, which it refuses. */
export const pgbouncerOwner = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (which: string): number =>
    Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** Fewer connections than clients, and each goes from one client to the next, without passwords. */
const settings = (folder: string, server: URL, port: number, more: string): string => `
[databases]
* = host=${server.hostname} port=${server.port} auth_user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
default_pool_size = 4
max_client_conn = 1000
server_idle_timeout = 2
server_round_robin = 1
${more}
`;

/** A pooler that was started; it may still have to begin to listen. */
export interface Pgbouncer {
  readonly url: string;
  readonly child: ChildProcess;
}

/**
 * Starts it.
 *
 * @param folder - an empty one, in one that every user can reach
 * @param postgresUrl - of the server that trusts every user
 * @param more - further lines of its configuration
 */
export const startPgbouncer = async (
  folder: string,
  postgresUrl: string,
  more = '',
): Promise<Pgbouncer> => {
  const port = await freePort();
  const owner = pgbouncerOwner();
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(join(folder, 'users.txt'), '"postgres" ""\n');
  await writeFile(file, settings(folder, new URL(postgresUrl), port, more));
  const child = spawn(pgbouncerBinary, ['--quiet', file], { ...owner, cwd: '/', stdio: 'ignore' });
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, child };
};
