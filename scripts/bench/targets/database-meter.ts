/** What requests cost in a PostgreSQL server: bytes of its write-ahead log, statements, processor time. */

import type { Client } from 'pg';
import { endedChildrenSeconds, processorSeconds, processTree } from '../../machine/process-usage';
import type { DatabaseServer } from './postgres-server';

/** Counters that only grow; undefined where they are not known. */
export interface DatabaseCounts {
  /** Of the whole server: contestants take turns, so that only one changes it. */
  readonly walBytes: number;
  /** In the contestant's own database, those that begin and end transactions included. */
  readonly statements: number | undefined;
  readonly processorSeconds: number | undefined;
}

/** Reads the counters of one database. */
export interface DatabaseMeter {
  read(): Promise<DatabaseCounts>;
  close(): Promise<void>;
}

const walPosition = `SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`;
const statementCount = `
  SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements(false)
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`;

const countsStatements = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query('SHOW shared_preload_libraries');
  if (!String(rows[0]?.shared_preload_libraries).includes('pg_stat_statements')) return false;
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  return true;
};

/** Of the whole server, also of processes that have ended since: autovacuum's, above all. */
const serverSeconds = (pid: number): number | undefined => {
  const running = processorSeconds(processTree(pid));
  return running && running + endedChildrenSeconds(pid);
};

/** Opens a meter over a connection to another database of the server, which it closes; its own statements do not count. */
export const openMeter = async (
  client: Client,
  { pid }: DatabaseServer,
  database: string,
): Promise<DatabaseMeter> => {
  const hasStatements = await countsStatements(client);
  return {
    async read() {
      const wal = await client.query(walPosition);
      const statements = hasStatements
        ? Number((await client.query(statementCount, [database])).rows[0]?.calls)
        : undefined;
      return {
        walBytes: Number(wal.rows[0]?.bytes),
        statements,
        processorSeconds: pid === undefined ? undefined : serverSeconds(pid),
      };
    },
    close: () => client.end(),
  };
};
