/** The plan of what migrations will do to a database, which is only read for it. */

import type { Knex } from 'knex';
import { programVersion } from '../../base/text/program-version';
import { isPostgres } from '../sql/dialect';
import { migrations, newest, versionProblem } from './index';

/** A lock in PostgreSQL's words, the work on rows, and whether programs that do not know of the statement go on working. */
type Kind = readonly [lock: string, work: 'none' | 'scan' | 'rewrite', isExpansion: boolean];

/** Tells whether it adds a column that is nullable or has a constant default: no row is touched (PostgreSQL, ALTER TABLE, Notes). */
const addsPlainColumn = (action: string): boolean =>
  /^add column (?!.* (?:references|unique|check|primary|generated)\b)/.test(action) &&
  (/ default (?:'[^']*'|-?[\d.]+|true|false|null)(?: |$)/.test(action) ||
    !/ default | not null/.test(action));

/** Finds the kind of a statement on a table that was there before. */
const kindOf = (sql: string, isPostgres: boolean): Kind => {
  const [, actions = ''] = /^alter table \S+ (.+)/.exec(sql) ?? [];
  if (actions.split(', ').every(addsPlainColumn)) return ['ACCESS EXCLUSIVE', 'none', true];
  if (/^create (?:unique )?index /.test(sql)) {
    // Changes wait while it is built: not on tables that grow with what is stored.
    const isSmall = !/ on "?(?:items|item_index|item_files|value_counts)\b/.test(sql);
    return ['SHARE', 'scan', isSmall && sql.startsWith('create index')];
  }
  if (/^add constraint \S+ foreign key/.test(actions))
    return ['SHARE ROW EXCLUSIVE', 'scan', false];
  if (/^(?:insert|update|delete) /.test(sql)) return ['ROW EXCLUSIVE', 'scan', false];
  const isQuick = sql.startsWith('drop ') || (isPostgres && actions.startsWith('drop column'));
  return ['ACCESS EXCLUSIVE', isQuick ? 'none' : 'rewrite', false];
};

const made = /^(?:create|alter) (?:(?:unique )?index \S+ on|table) "?(\w+)/;
const changed = /^(?:insert into|update|delete from) "?(\w+)/;

/**
 * Tells the effects of a statement. SQLite has one writer for all tables (`*`), beside which reads go on.
 *
 * @param existing - the tables that were there before the migrations: nothing else uses those that they create
 */
export const effectsOf = (statement: string, isPostgres: boolean, existing: readonly string[]) => {
  const sql = statement.toLowerCase().replaceAll('`', '"').replaceAll(/\s+/g, ' ');
  const [, name] = made.exec(sql) ?? [];
  const [, written] = changed.exec(sql) ?? [];
  const isOfNewTable = name !== undefined && !existing.includes(name);
  const before = isOfNewTable ? 'references "?' : '\\b';
  // Names of indexes begin with that of their table.
  const after = sql.startsWith('drop index') ? '_' : '\\b';
  const tables = existing.filter((table) => RegExp(before + table + after).test(sql));
  const [mode, work, isExpansion]: Kind = isOfNewTable
    ? ['SHARE ROW EXCLUSIVE', 'none', true]
    : kindOf(sql, isPostgres);
  const locked = tables.filter((table) => (written ?? table) === table);
  const locks = isPostgres
    ? locked.map((table) => ({ table, mode }))
    : [{ table: '*', mode: 'WRITER' }];
  return { tables, locks, work, isExpansion };
};

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
