/** The migrations in their order, which databases they can bring up to date, and the plan of what they will do to one. */

import type { Knex } from 'knex';
import { programVersion } from '../../base/text/program-version';
import { isPostgres } from '../sql/dialect';
import { baseline } from './baseline';

/** Creates the tables of sorted fields, and of what servers that share a database keep secret together. */
const sortKeys: Knex.Migration = {
  async up(db) {
    // Keys sort by their bytes, whatever the collation of the database.
    const [collation, options] = isPostgres(db) ? ['collate "C"', ''] : ['', 'without rowid'];
    await db.raw(`create table item_sort_keys (index_key integer not null, id bigint not null,
      key text ${collation} not null, primary key (index_key, id)) ${options}`);
    await db.raw('create index item_sort_keys_in_order on item_sort_keys (index_key, key, id)');
    await db.schema.createTable('secrets', (table) => {
      table.text('name').primary();
      table.text('value').notNullable();
    });
  },
};

/**
 * Adds the resources that tokens, and the codes that give them, are for; a version that does not know them takes such a token for one that
 * is good everywhere in its service.
 */
const tokenResources: Knex.Migration = {
  async up(db) {
    for (const name of ['tokens', 'oauth_codes', 'device_codes']) {
      // Separated by blanks; null: whatever the service has.
      await db.schema.alterTable(name, (table) => table.text('resources'));
    }
  },
};

/** Creates the table of the turns of jobs. */
const jobs: Knex.Migration = {
  async up(db) {
    await db.schema.createTable('jobs', (table) => {
      table.text('service').notNullable();
      table.text('name').notNullable();
      // The process that does the last turn, or did it.
      table.text('holder');
      // Milliseconds since 1970 (UTC).
      table.bigInteger('began_at').notNullable();
      table.bigInteger('held_until').notNullable();
      table.primary(['service', 'name']);
    });
  },
};

interface NamedMigration {
  readonly name: string;
  readonly migration: Knex.Migration;
}

/**
 * Names begin with a number, and each is greater than those before it. Once released, an entry is never changed. The version before
 * runs beside it: `src/decisions/0016-expand-then-contract.md` says what they may do. The first one has the name of the last of those
 * by which version 0.3.0 made the same tables, so that its databases are up to date.
 */
export const migrations: readonly [NamedMigration, ...NamedMigration[]] = [
  { name: '0018-disabled-users-and-replaced-keys', migration: baseline },
  { name: '0019-sort-keys', migration: sortKeys },
  { name: '0020-token-resources', migration: tokenResources },
  { name: '0021-jobs', migration: jobs },
];

/** A table of the services. */
export interface ServerTable {
  readonly name: string;
  readonly key: readonly [string, ...string[]];
  /** Rows that are read and inserted at once: fewer where a row may be long. */
  readonly pageRows?: number;
}

/** The tables in an order in which no row refers to a table that comes later. */
export const tables: readonly ServerTable[] = [
  { name: 'collections', key: ['key'] },
  { name: 'collection_indexes', key: ['key'] },
  { name: 'walks', key: ['service', 'collection', 'task'] },
  { name: 'items', key: ['key'] },
  { name: 'item_index', key: ['index_key', 'value', 'id'] },
  { name: 'item_sort_keys', key: ['index_key', 'id'] },
  { name: 'value_counts', key: ['index_key', 'value', 'shard'] },
  { name: 'item_files', key: ['id'], pageRows: 1 },
  { name: 'id_counters', key: ['name'] },
  { name: 'retired_ids', key: ['kind', 'id'] },
  { name: 'users', key: ['key'] },
  { name: 'sign_in_networks', key: ['user_key', 'network'] },
  { name: 'tokens', key: ['key'] },
  { name: 'api_keys', key: ['key'] },
  { name: 'clients', key: ['key'] },
  { name: 'oauth_codes', key: ['hash'] },
  { name: 'device_codes', key: ['hash'] },
  { name: 'event_counts', key: ['name'] },
  { name: 'secrets', key: ['name'] },
  { name: 'jobs', key: ['service', 'name'] },
];

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  // Knex asks for a way back, which only a backup is.
  getMigration: async ({ migration }) => ({
    down: async () => {
      throw new Error('A migration is not undone: restore a backup');
    },
    ...migration,
  }),
};

/** The name of the last migration of this version. */
const newest = (migrations.at(-1) ?? migrations[0]).name;

/** Finds why a database with these migrations cannot be opened by this version; undefined where it can be. */
export const versionProblem = (done: readonly { readonly name: string }[]): string | undefined => {
  const later = done.find(({ name }) => name > newest);
  if (later !== undefined) {
    const known = `migration ${later.name}; version ${programVersion()} ends with ${newest}`;
    return `it was written by a newer version of this program (${known}), so run that version`;
  }
  const isKnown = done.some(({ name }) => name === migrations[0].name);
  return done.length === 0 || isKnown
    ? undefined
    : 'it was written by an older version of this program, so start version 0.3.0 on it first';
};

/**
 * Brings the tables up to date.
 *
 * @throws Error where a newer version made them, or one before 0.3.0
 */
export const migrate = async (trx: Knex.Transaction): Promise<void> => {
  // The records of former migrations stay, and are none of these.
  const source = { migrationSource, disableMigrationsListValidation: true };
  const [done] = await trx.migrate.list(source);
  const problem = versionProblem(done);
  if (problem !== undefined) throw new Error(problem);
  await trx.migrate.latest(source);
};

/**
 * Runs the work, and notes what would change the database instead of running it; gives the statements. What only reads is run, so
 * that each migration decides as it will; in an empty database, which lacks the tables, it gives no rows.
 */
export const recordStatements = async (
  trx: Knex.Transaction,
  work: () => PromiseLike<unknown>,
  isEmpty: boolean,
): Promise<string[]> => {
  type Query = Readonly<{ sql: string; bindings?: readonly Knex.Value[] }>;
  const client: { query(connection: unknown, query: Query): Promise<unknown> } = trx.client;
  const run = client.query;
  const noted: string[] = [];
  client.query = async (connection, query) => {
    const { sql, bindings = [] } = query;
    const isRead = /^\s*(?:select|pragma)\b/i.test(sql);
    if (isRead && !isEmpty) return run(connection, query);
    if (!isRead) {
      const text = trx.raw(sql, bindings).toQuery();
      noted.push(text.replaceAll(/\s*\n\s*/g, ' '));
    }
    const response = isPostgres(trx) ? { command: 'SELECT', rows: [], rowCount: 0 } : [];
    return { ...query, response, context: {} };
  };
  await Promise.resolve(work()).finally(() => {
    client.query = run;
  });
  return noted;
};

const stateBefore = (problem: string | undefined, last: string | undefined) => {
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
  const state = stateBefore(problem, last);
  return { version: programVersion(), state, problem, last, migrations: planned };
};
