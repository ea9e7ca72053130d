/** The plan of what the migrations will do to a database, which is only read for it. */

import type { Knex } from 'knex';
import { programVersion } from '../../base/text/program-version';
import { isPostgres } from '../sql/dialect';
import { type Effects, effectsOf } from './effects';
import { migrations, newest, versionProblem } from './index';

/** A statement that a migration will run. */
interface PlannedStatement extends Effects {
  readonly sql: string;
  /** An estimate. */
  readonly seconds: number;
}

/** A migration that is to come. */
interface PlannedMigration {
  readonly name: string;
  readonly statements: readonly PlannedStatement[];
  /** Of a contraction: older versions than this stop working. */
  readonly unusedSince: string | undefined;
}

/** The plan of all migrations. */
export interface MigrationPlan {
  readonly version: string;
  readonly state: 'empty' | 'current' | 'older' | 'newer' | 'too-old';
  /** The reason why this version does not open the database; undefined where it does. */
  readonly problem: string | undefined;
  /** The last migration that was run; undefined in an empty database. */
  readonly last: string | undefined;
  readonly migrations: readonly PlannedMigration[];
  /** The rows of the tables that are touched. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Seconds for a row on two virtual cores, rounded up; a statement takes some time without any. */
const secondsPerRow = { none: 0, scan: 2e-6, rewrite: 5e-6 };
const secondsPerStatement = 0.01;

/** A query as Knex passes it to a connection. */
interface Query {
  readonly sql: string;
  readonly bindings?: readonly Knex.Value[];
}

/**
 * Runs the work, and notes what would change the database instead of running it; gives the statements. What only reads is run,
 * so that each migration decides as it will; in an empty database, which lacks the tables, it gives no rows.
 */
export const recordStatements = async (
  trx: Knex.Transaction,
  work: () => PromiseLike<unknown>,
  isEmpty: boolean,
): Promise<string[]> => {
  const client: { query(connection: unknown, query: Query): Promise<unknown> } = trx.client;
  const run = client.query;
  const noted: string[] = [];
  client.query = async (connection, query) => {
    const reads = /^\s*(?:select|pragma)\b/i.test(query.sql);
    if (reads && !isEmpty) return run(connection, query);
    if (!reads)
      noted.push(
        trx
          .raw(query.sql, query.bindings ?? [])
          .toQuery()
          .replaceAll(/\s*\n\s*/g, ' '),
      );
    const response = isPostgres(trx) ? { command: 'SELECT', rows: [], rowCount: 0 } : [];
    return { ...query, response, context: {} };
  };
  try {
    await work();
  } finally {
    client.query = run;
  }
  return noted;
};

const tablesOf = async (trx: Knex.Transaction): Promise<string[]> =>
  isPostgres(trx)
    ? trx('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename')
    : trx('sqlite_master').where({ type: 'table' }).pluck('name');

const rowsOf = async (trx: Knex.Transaction, table: string): Promise<number> => {
  const [counted] = await trx(table).count({ rows: '*' });
  return Number(counted?.['rows']);
};

const stateOf = (
  problem: string | undefined,
  last: string | undefined,
  pending: number,
): MigrationPlan['state'] => {
  if (problem !== undefined) return last !== undefined && last > newest ? 'newer' : 'too-old';
  if (last === undefined) return 'empty';
  return pending === 0 ? 'current' : 'older';
};

/** Plans the migrations of a database: reads it, takes no lock that others wait for, and changes nothing. */
export const planMigrations = async (trx: Knex.Transaction): Promise<MigrationPlan> => {
  const tables = await tablesOf(trx);
  const isEmpty = !tables.includes('knex_migrations');
  const done: string[] = isEmpty ? [] : await trx('knex_migrations').orderBy('name').pluck('name');
  const problem = versionProblem(done.map((name) => ({ name })));
  const rows: Record<string, number> = {};

  const describe = async (sql: string): Promise<PlannedStatement> => {
    const effects = effectsOf(sql, isPostgres(trx), tables);
    let touched = 0;
    for (const table of effects.tables) touched += rows[table] ??= await rowsOf(trx, table);
    return {
      sql,
      ...effects,
      seconds: secondsPerStatement + touched * secondsPerRow[effects.work],
    };
  };

  const planned: PlannedMigration[] = [];
  for (const { name, migration, unusedSince } of problem === undefined ? migrations : []) {
    if (done.includes(name)) continue;
    const statements: PlannedStatement[] = [];
    const recorded = await recordStatements(trx, () => migration.up(trx), isEmpty);
    for (const sql of recorded) statements.push(await describe(sql));
    planned.push({ name, statements, unusedSince });
  }
  const last = done.at(-1);
  const state = stateOf(problem, last, planned.length);
  return { version: programVersion(), state, problem, last, rows, migrations: planned };
};
