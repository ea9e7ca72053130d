/** The plan of what migrations will do to a database, which is only read for it. */

import type { Knex } from 'knex';
import { programVersion } from '../../base/text/program-version';
import { isPostgres } from '../sql/dialect';
import { effectsOf } from './effects';
import { migrations, newest, versionProblem } from './index';

/** A query as Knex passes it to a connection. */
interface Query {
  readonly sql: string;
  readonly bindings?: readonly Knex.Value[];
}

/**
 * Runs the work, and notes what would change the database instead of running it; gives the statements. What only reads is run, so
 * that each migration decides as it will; in an empty database, which lacks the tables, it gives no rows.
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
    const { sql, bindings = [] } = query;
    const isRead = /^\s*(?:select|pragma)\b/i.test(sql);
    if (isRead && !isEmpty) return run(connection, query);
    if (!isRead)
      noted.push(
        trx
          .raw(sql, bindings)
          .toQuery()
          .replaceAll(/\s*\n\s*/g, ' '),
      );
    const response = isPostgres(trx) ? { command: 'SELECT', rows: [], rowCount: 0 } : [];
    return { ...query, response, context: {} };
  };
  await Promise.resolve(work()).finally(() => {
    client.query = run;
  });
  return noted;
};

/** Seconds for a row, on two virtual cores and rounded up; a statement takes some without any. */
const secondsPerRow = { none: 0, scan: 2e-6, rewrite: 5e-6 };
const secondsPerStatement = 0.01;

const tablesOf = (trx: Knex.Transaction): Promise<string[]> =>
  isPostgres(trx)
    ? trx('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename')
    : trx('sqlite_master').where({ type: 'table' }).pluck('name');

const stateOf = (problem: string | undefined, last: string | undefined) => {
  if (last === undefined) return 'empty';
  if (problem !== undefined) return last > newest ? 'newer' : 'too-old';
  return last === newest ? 'up-to-date' : 'older';
};

/** Plans the migrations of a database: reads it, takes no lock that others wait for, and changes nothing. */
export const planMigrations = async (trx: Knex.Transaction) => {
  const tables = await tablesOf(trx);
  const isEmpty = !tables.includes('knex_migrations');
  const done: string[] = isEmpty ? [] : await trx('knex_migrations').orderBy('name').pluck('name');
  const problem = versionProblem(done.map((name) => ({ name })));
  const rows: Record<string, number> = {};

  const describe = async (sql: string) => {
    const effects = effectsOf(sql, isPostgres(trx), tables);
    let seconds = secondsPerStatement;
    for (const table of effects.tables) {
      const [counted] = await trx(table).count({ rows: '*' });
      rows[table] = Number(counted?.['rows']);
      seconds += rows[table] * secondsPerRow[effects.work];
    }
    return { sql, ...effects, seconds };
  };

  const planned = [];
  for (const { name, migration, unusedSince } of problem === undefined ? migrations : []) {
    if (done.includes(name)) continue;
    const statements = [];
    const recorded = await recordStatements(trx, () => migration.up(trx), isEmpty);
    for (const sql of recorded) statements.push(await describe(sql));
    const isExpansion = statements.every((statement) => statement.isExpansion);
    planned.push({ name, statements, leavesOthers: isExpansion || unusedSince !== undefined });
  }
  const last = done.at(-1);
  const state = stateOf(problem, last);
  return { version: programVersion(), state, problem, last, rows, migrations: planned };
};
