/** The PostgreSQL server of a race: a private one, as durable as one in production. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pinProcess } from '../../machine/cores';
import { startPrivatePostgres } from '../../machine/private-postgres';
import { atInterruption } from '../machine/interrupt';

/** A server in which databases may be created. */
export interface DatabaseServer {
  /** One of its databases. */
  readonly url: string;
  /** Of its first process, where it is a private one. */
  readonly pid?: number;
}

const settings = [
  // A confirmed write survives a power cut.
  ...['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'],
  ...['shared_buffers=512MB', 'max_connections=500'],
  // No checkpoint falls into one contestant's turn and not into another's.
  ...['checkpoint_timeout=1h', 'max_wal_size=8GB'],
];

/** Counts statements, where this part of PostgreSQL is installed. */
const counters = (binaries: string): string[] =>
  existsSync(join(binaries, '../lib/pg_stat_statements.so'))
    ? ['shared_preload_libraries=pg_stat_statements']
    : [];

/**
 * Starts it.
 * @param cores where it runs; undefined: wherever the system likes
 */
export const startDatabaseServer = async (cores: readonly number[] | undefined) => {
  const server = await startPrivatePostgres((binaries) => [...settings, ...counters(binaries)]);
  const callOff = atInterruption(server.stop);
  if (cores !== undefined) pinProcess(server.pid, ...cores);
  return {
    ...server,
    async stop(): Promise<void> {
      callOff();
      await server.stop();
    },
  };
};
