/** The plan of what migrations will do to a database, which is only read for it. */

import type { Knex } from 'knex';
import { programVersion } from '../../base/text/program-version';
import { isPostgres } from '../sql/dialect';
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
const recordStatements = async (
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

const stateOf = (problem: string | undefined, last: string | undefined) => {
  if (last === undefined) return 'empty';
  if (problem !== undefined) return last > newest ? 'newer' : 'too-old';
  return last === newest ? 'up-to-date' : 'older';
};

/** Plans the migrations of a database: reads it, takes no lock that others wait for, and changes nothing. */
export const planMigrations = async (trx: Knex.Transaction) => {
  const isEmpty = !(await trx.schema.hasTable('knex_migrations'));
  const done: string[] = isEmpty ? [] : await trx('knex_migrations').orderBy('name').pluck('name');
  const problem = versionProblem(done.map((name) => ({ name })));
  const planned = [];
  for (const { name, migration } of problem === undefined ? migrations : []) {
    if (done.includes(name)) continue;
    const statements = await recordStatements(trx, () => migration.up(trx), isEmpty);
    planned.push({ name, statements });
  }
  const last = done.at(-1);
  const state = stateOf(problem, last);
  return { version: programVersion(), state, problem, last, migrations: planned };
};
