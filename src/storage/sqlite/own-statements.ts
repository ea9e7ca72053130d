/** Runs statements of authors on SQLite, their values by the rule of sql/own-values.ts, which needs the declared types of columns. */

import type { Database, Statement } from 'better-sqlite3';
import type { OwnResult } from '../connections/database-driver';
import { quoted } from '../sql/dialect';
import { type BoundValue, boundValue, plainBytes, readJson, timeText } from '../sql/own-values';

/** The columns of a view of collections, as its text says them; see tables/views.ts. */
const columnsOfView = /\/\* columns (\(.*\)) \*\//;

/**
 * Times end with an offset here, since `+` comes before the point of a fraction and `Z` behind it: texts of times then sort as the times
 * do.
 */
const sortable = (text: string): string =>
  text.length <= 40 && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)
    ? `${text.slice(0, -1)}+00:00`
    : text;

const bind = (given: unknown): string | number | bigint | null | Uint8Array => {
  const value: BoundValue = boundValue(given);
  if (typeof value === 'string') return value.endsWith('Z') ? sortable(value) : value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  // The driver binds numbers as REAL, which a column of texts would show.
  return Number.isInteger(value) ? BigInt(value as number) : value;
};

type ReadField = (value: unknown) => unknown;

const readText = (text: string): string =>
  text.endsWith('+00:00') && text.length >= 25 ? timeText(text) : text;

const readPlain: ReadField = (value) => {
  if (typeof value === 'string') return readText(value);
  if (typeof value !== 'bigint') return value instanceof Uint8Array ? plainBytes(value) : value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
};

const readTime: ReadField = (value) => {
  // Milliseconds since 1970, as Knex stores a Date.
  if (typeof value === 'bigint') return timeText(new Date(Number(value)).toISOString());
  return typeof value === 'string' ? timeText(value) : value;
};

/** Makes the reader of a column's values that are not null; a column of the declared type may hold any in SQLite. */
const readerOf = (type: string | null): ReadField => {
  const declared = type?.toLowerCase() ?? '';
  if (declared.startsWith('bool'))
    return (value) => (value === 0n || value === 1n ? value === 1n : readPlain(value));
  if (declared.startsWith('json'))
    return (value) => (typeof value === 'string' ? readJson(value) : value);
  if (declared === 'date') return (value) => String(readTime(value)).slice(0, 10);
  if (/^(?:datetime|timestamp)/.test(declared)) return readTime;
  return readPlain;
};

const typesOf = (statement: Statement) => statement.columns().map(({ type }) => type);

/**
 * Reads the types of a statement's columns. An expression has none, and the columns of views are expressions: their types are those
 * that the same statement has over empty tables in place of the views.
 */
const columnTypes = (raw: Database, statement: Statement): readonly (string | null)[] => {
  const views = raw
    .prepare<[], { readonly name: string; readonly sql: string }>(
      `select name, sql from main.sqlite_master where type = 'view'`,
    )
    .all()
    .filter(({ name, sql }) => statement.source.includes(name) && columnsOfView.test(sql));
  if (views.length === 0) return typesOf(statement);
  const onlyReads = raw.pragma('query_only', { simple: true });
  raw.pragma('query_only = OFF');
  const tables = views.map(({ name }) => `temp.${quoted(name)}`);
  try {
    for (const [at, { sql }] of views.entries()) {
      raw.exec(`create table ${tables[at]} ${columnsOfView.exec(sql)?.[1]}`);
    }
    return typesOf(raw.prepare(statement.source));
  } finally {
    for (const table of tables) raw.exec(`drop table if exists ${table}`);
    raw.pragma(`query_only = ${onlyReads}`);
  }
};

/** A statement that is prepared; without readers it gives no rows. */
interface Prepared {
  readonly statement: Statement;
  readonly readers: readonly (readonly [name: string, read: ReadField])[];
}

const prepare = (raw: Database, sql: string): Prepared => {
  const statement = raw.prepare(sql);
  if (!statement.reader) return { statement, readers: [] };
  const types = columnTypes(raw, statement);
  const readers = statement.columns().map(({ name, column }, at) => {
    // A call without a name has that of its function, as on PostgreSQL.
    const [, called] = column === null ? (/^(\w+)\s*\(.*\)$/s.exec(name) ?? []) : [];
    return [called?.toLowerCase() ?? name, readerOf(types[at] ?? null)] as const;
  });
  // Rows of values, which are read here, take half the time of objects.
  return { statement: statement.raw().safeIntegers(), readers };
};

/** Replaces the time of SQLite, which has no fraction and is no text of RFC 3339, where a statement or a default asks for it. */
const withTime = (sql: string): string =>
  sql.includes('CURRENT_TIMESTAMP')
    ? sql.replaceAll(
        /('(?:[^']|'')*')|\bCURRENT_TIMESTAMP\b/g,
        (_, text?: string) => text ?? "(strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))",
      )
    : sql;

/** Makes what runs statements on a connection. */
export const ownStatements = (raw: Database) => {
  // As on PostgreSQL.
  raw.pragma('case_sensitive_like = ON');
  const mostPrepared = 200;
  const known = new Map<string, Prepared>();
  const schemaVersion = raw.prepare('PRAGMA schema_version').pluck();
  const anyTable = raw.prepare('select 1 from sqlite_master limit 1');
  let version: unknown;
  const prepared = (sql: string): Prepared => {
    // Another process may have changed the tables, and with them the columns.
    const current = schemaVersion.get();
    if (current !== version) {
      known.clear();
      // SQLite reads its tables again when a statement runs, not when one is prepared.
      anyTable.get();
      version = current;
    }
    const found = known.get(sql) ?? prepare(raw, withTime(sql));
    if (known.size >= mostPrepared && !known.has(sql)) known.clear();
    known.set(sql, found);
    return found;
  };
  return {
    /** Tells whether a statement changes nothing. */
    onlyReads: (sql: string): boolean => prepared(sql).statement.readonly,
    /** @throws what the driver says */
    run(sql: string, given: readonly unknown[]): OwnResult {
      const { statement, readers } = prepared(sql);
      const values = given.map(bind);
      if (!statement.reader) return { rows: [], count: statement.run(values).changes };
      const rows = (statement.all(values) as unknown[][]).map((fields) => {
        const row: Record<string, unknown> = {};
        let at = 0;
        for (const [name, read] of readers) {
          const field = fields[at];
          row[name] = field === null ? null : read(field);
          at += 1;
        }
        return row;
      });
      return { rows, count: rows.length };
    },
  };
};
