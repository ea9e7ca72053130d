/**
 * The database of handlers: a Knex over the connections of the server, in the transactions of the collections. It writes no table of the
 * server, and knows no other connection.
 */

import { Readable, type Writable } from 'node:stream';
import type { Knex } from 'knex';
import { callers, type OwnResult, type RunOwn, Skipped } from '../connections/database-driver';
import { classifyError, DatabaseUnavailable } from '../connections/database-errors';
import { tables } from '../migrations/index';
import { errorFacts, isPostgres } from '../sql/dialect';
import { boundValue } from '../sql/own-values';

/** The kinds of constraints that a statement may break, the same on both databases. */
const brokenConstraints: Readonly<Record<string, string>> = {
  23505: 'unique',
  23503: 'foreign-key',
  23502: 'not-null',
  23514: 'check',
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign-key',
  SQLITE_CONSTRAINT_NOTNULL: 'not-null',
  SQLITE_CONSTRAINT_CHECK: 'check',
};

/** The failure of a statement of handlers. Its message is the statement without its values, and what the database says of it. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';
  /**
   * The kind of constraint that it breaks: `unique`, `foreign-key`, `not-null` or `check`; for other failures, what the database calls
   * them.
   */
  readonly code: string;
  /** The name of the constraint, or its column (SQLite: of a unique one its columns, and none of a foreign key). */
  readonly constraint: string | undefined;

  constructor(sql: string, error: unknown) {
    const { code, message } = errorFacts(error);
    // Failures of values (SQLSTATE class 22) quote them.
    const reason = code.startsWith('22') ? message.replaceAll(/"[^"]*"/g, '"…"') : message;
    super(`${sql} - ${reason}`);
    this.code = brokenConstraints[code] ?? code;
    const { constraint, column }: Readonly<Record<string, unknown>> = Object(error);
    const [, said] = /^(?:UNIQUE|NOT NULL|CHECK) constraint failed: (.+)$/.exec(message) ?? [];
    const columns = said?.replaceAll(/(^|, )[^.,]+\./g, '$1');
    this.constraint = (constraint ?? column ?? columns) as string | undefined;
  }
}

/** Gives what handlers catch: failures of the database are the server's own, which tries again what may succeed then. */
const failureOf = (sql: string, error: unknown): unknown => {
  const cause = error instanceof Skipped ? error.cause : error;
  const isOfDatabase = cause instanceof DatabaseUnavailable || classifyError(cause) !== undefined;
  // The sentence on a value that cannot be bound stays.
  if (isOfDatabase || cause instanceof TypeError || cause instanceof StatementFailed) return cause;
  return new StatementFailed(sql, cause);
};

/** The tables of the server; those of Knex's migrators begin with its name. */
export const serverTables: ReadonlySet<string> = new Set([
  ...tables.map(({ name }) => name),
  'migration_turn',
]);

const name = /(?:only\s+)?(?:["`[]?\w+["`\]]?\s*\.\s*)?(?:["`[]([^"`\]]+)|(\w+))/.source;
const written = new RegExp(
  `\\b(?:into|update(?:\\s+or\\s+\\w+)?|delete\\s+from|truncate(?:\\s+table)?|(?:alter|drop)\\s+(?:table|view)(?:\\s+if\\s+exists)?)\\s+${name}`,
  'gi',
);

/**
 * Refuses a statement that names a table of the server, or a view, to write: a guard against accidents.
 * @throws Error in one sentence
 */
export const requireOwnTables = (sql: string, views: ReadonlySet<string>): void => {
  // Without its texts and comments.
  const bare = sql.replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\//gs, (found) =>
    found.startsWith("'") ? "''" : ' ',
  );
  for (const [, quoted, plain = ''] of bare.matchAll(written)) {
    const table = (quoted ?? plain).toLowerCase();
    if (views.has(table)) {
      throw new Error(`${table} is a view of a collection: change its items by the collection`);
    }
    if (serverTables.has(table) || table.startsWith('knex_')) {
      throw new Error(`${table} is a table of the server, which handlers do not change`);
    }
  }
};

const tablesChange =
  /^\s*(?:create|alter|drop|reindex|vacuum|attach|detach)\b|^\s*pragma\s+(?!table_x?info|index_list|foreign_key_list)/i;
const transactionsChange =
  /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release|set|reset|lock|prepare|discard|listen)\b/i;

/** A query of Knex's, on its way through a client. */
interface KnexQuery {
  sql: string;
  bindings?: readonly unknown[];
  method?: string;
  pluck?: string;
  returning?: unknown;
  output?: (response: unknown) => unknown;
  response?: OwnResult;
}

/** The parts of Knex's compiler of queries that are replaced. */
interface QueryCompiler {
  readonly single: { readonly returning?: unknown; readonly insert?: unknown };
  del(): unknown;
  insert(): unknown;
  whereLike(condition: object): string;
  whereILike(condition: object): string;
}

/** The parts of Knex's clients that are replaced. */
interface KnexClient {
  positionBindings(sql: string): string;
  parameterize(values: unknown, ...rest: unknown[]): string;
  queryCompiler(...given: unknown[]): QueryCompiler;
  query(connection: unknown, query: string | KnexQuery): Promise<KnexQuery>;
  processResponse(query: KnexQuery, runner: unknown): unknown;
}

/**
 * Gives what a query resolves to, the same on both databases: rows; of `first` one; of changes without `returning` how many rows there
 * were, and of `insert` nothing, which only one database would number.
 */
const resultOf = (query: KnexQuery, rows: readonly object[], count: number): unknown => {
  const { method, returning, pluck = '' } = query;
  if (method === 'first') return rows[0];
  if (method === 'pluck') return rows.map((row) => Reflect.get(row, pluck));
  if (returning) return rows;
  if (method === 'insert') return [];
  return method === 'update' || method === 'del' || method === 'counter' ? count : rows;
};

/** Makes queries of a client of Knex's run by `run`; it gets the connection that Knex has for them. */
export const overrideClient = (
  knex: Pick<Knex, 'client'>,
  run: (connection: unknown, sql: string, values: readonly unknown[]) => Promise<OwnResult>,
): void => {
  const client: KnexClient = knex.client;
  const { queryCompiler, parameterize } = client;
  const isServer = isPostgres(knex as Knex);
  client.query = async (connection, given) => {
    const query: KnexQuery = typeof given === 'string' ? { sql: given } : given;
    const sql = client.positionBindings(query.sql);
    // An insert of no rows is no statement.
    if (sql !== '') query.response = await run(connection, sql, query.bindings ?? []);
    return query;
  };
  // Knex would write JSON itself, which fails for bigints.
  const written = (value: unknown): unknown =>
    typeof value === 'object' && !('toSQL' in Object(value)) ? boundValue(value) : value;
  client.parameterize = (values, ...rest) =>
    parameterize.call(client, Array.isArray(values) ? values.map(written) : values, ...rest);
  client.processResponse = (query, runner) => {
    const { rows = [], count = 0 } = query.response ?? {};
    if (query.output === undefined) return resultOf(query, rows, count);
    return query.output.call(runner, isServer ? { rows, rowCount: count } : rows);
  };
  if (isServer) return;
  client.queryCompiler = (...given) => {
    const compiler = queryCompiler.apply(client, given);
    const { del, insert } = compiler;
    compiler.insert = () => {
      const columnsOf = (row: unknown) =>
        Object.entries(Object(row)).flatMap(([column, value]) =>
          value === undefined ? [] : column,
        );
      const rows = [compiler.single.insert].flat().map((row) => String(columnsOf(row).sort()));
      if (new Set(rows).size <= 1) return insert.call(compiler);
      throw new Error('SQLite has no default for a column that only some rows of an insert have');
    };
    compiler.whereILike = (condition) =>
      compiler
        .whereLike(condition)
        .replace(/^(.*?) ((?:not )?like) (.*)$/s, 'lower($1) $2 lower($3)');
    // Knex leaves `returning` out where SQLite deletes.
    compiler.del = () => {
      const sql = del.call(compiler);
      const { returning } = compiler.single;
      if (returning === undefined) return sql;
      const columns = [returning].flat();
      const marks = columns.map((column) => (column === '*' ? '*' : '??')).join(', ');
      const named = columns.filter((column) => column !== '*');
      return { sql: `${sql} returning ${knex.client.raw(marks, named)}`, returning };
    };
    return compiler;
  };
};

/** The statements of handlers, outside of transactions or inside of one. */
interface Session {
  readonly isTransaction: boolean;
  readonly run: RunOwn;
  readonly transaction: (work: (trx: Knex) => Promise<unknown>) => Promise<unknown>;
}

/** Gives a Knex with the methods of another, whose statements go to a session: to make one takes a hundred times as long. */
const within = (base: Knex & { readonly context?: object }, session: Session): Knex => {
  const client: Knex.Client = Object.assign(Object.create(base.client), {
    acquireConnection: async () => session,
    transacting: session.isTransaction,
  });
  const context = Object.assign(Object.create(base.context ?? null), {
    client,
    transaction: async (work: unknown) => {
      if (typeof work === 'function') return session.transaction(work as () => Promise<unknown>);
      throw new Error('`transaction` is given the work that it does');
    },
  });
  const knex = (...table: Parameters<Knex.QueryBuilder['table']>) =>
    context.queryBuilder().table(...table);
  return Object.assign(Object.setPrototypeOf(knex, base), { context });
};

/** The parts of a database of handlers. */
interface OwnDatabaseParts {
  readonly knex: Knex;
  readonly runOwn: RunOwn;
  /** Gives the names of the views of collections, in lower case, once they are there. */
  readonly views: () => Promise<ReadonlySet<string>>;
  /** Does work in a transaction: given the Knex of that. */
  readonly transaction: Session['transaction'];
  /** Tells whether the handlers that it was made for serve no more. */
  readonly hasEnded: () => boolean;
}

/** Makes the database of handlers; `inside` makes that of a transaction, which runs its statements there. */
export const ownDatabase = ({ knex, runOwn, views, transaction, hasEnded }: OwnDatabaseParts) => {
  const makeKnex: (client: object) => Knex = require('knex/lib/knex-builder/make-knex');
  // Statements that may be run, as they are written most of the time.
  const mostAllowed = 500;
  const allowed = new Set<string>();
  const run = async (runHere: RunOwn, sql: string, values: readonly unknown[]) => {
    if (hasEnded())
      throw new Error(`These handlers have ended, and their database with them: ${sql}`);
    if (!allowed.has(sql)) {
      if (tablesChange.test(sql))
        throw new Error(`Tables are changed by migrations, not by handlers: ${sql}`);
      if (transactionsChange.test(sql))
        throw new Error(`Transactions begin and end by \`transaction\` alone: ${sql}`);
      requireOwnTables(sql, await views());
      if (allowed.size === mostAllowed) allowed.clear();
      allowed.add(sql);
    }
    return runHere(sql, values, callers.getStore()).catch((error: unknown) => {
      throw failureOf(sql, error);
    });
  };
  const client = Object.assign(Object.create(knex.client), {
    releaseConnection: async () => undefined,
    // It has no listeners, nor does it share those of the other.
    ...{ emit: () => false, on: () => client, off: () => client },
    async stream(this: KnexClient, connection: unknown, query: KnexQuery, stream: Writable) {
      const { response } = await this.query(connection, query);
      Readable.from(response?.rows ?? []).pipe(stream);
    },
    destroy() {
      throw new Error('The server closes the database');
    },
  });
  overrideClient({ client }, (session, sql, values) => (session as Session).run(sql, values));
  const base = makeKnex(client);
  return {
    database: within(base, {
      run: (sql, values) => run(runOwn, sql, values),
      ...{ transaction, isTransaction: false },
    }),
    /** Makes the database of one transaction; `failure` gives that of a statement that has ended it. */
    inside(runInside: RunOwn) {
      // After a failure nothing more is run, as PostgreSQL has it.
      let failed: { readonly error: unknown } | undefined;
      const database: Knex = within(base, {
        isTransaction: true,
        run(sql, values) {
          if (failed !== undefined) return Promise.reject(failed.error);
          return run(runInside, sql, values).catch((error: unknown) => {
            failed = { error };
            throw error;
          });
        },
        transaction: (work) => work(database),
      });
      return { database, failure: () => failed?.error };
    },
  };
};
