/**
 * Migrations of the tables of services, by Knex's own migrator. One process at a time runs them, each in a transaction. The name under
 * which one is recorded has a hash of its text, so that a later change of it is noticed.
 */

import type { Knex } from 'knex';
import { errorMessage } from '../../base/error-message';
import { Refusal } from '../connections/database-errors';
import type { Database } from '../database/database';
import { recordStatements } from '../migrations';
import { overrideClient, requireOwnTables } from './own-database';

/** A migration of a service, which is in a module of its own. */
export interface OwnMigration {
  /** The name of its module, without the ending; it begins with digits, by which migrations are ordered. */
  readonly name: string;
  /** The path of its module, for its author. */
  readonly file: string;
  /** A digest of its text. */
  readonly hash: string;
  /** @throws Error in one sentence where the module cannot be loaded */
  load(): Promise<Readonly<Record<string, unknown>>>;
  /** Finds the place in its file that the stack of an error names; the file where it names none. */
  placeOf(error: unknown): string;
}

type OwnDatabase = Pick<Database, 'knex' | 'changeTables' | 'runOn'>;

const recordedAs = ({ name, hash }: OwnMigration): string => `${name} ${hash.slice(0, 12)}`;

const tableOf = (service: string): string => `knex_migrations_${service}`;

const timeOf = ({ name }: OwnMigration): string => /^\d+/.exec(name)?.[0] ?? '';

/** Orders migrations by their times. */
const inOrder = (migrations: readonly OwnMigration[]): readonly OwnMigration[] => {
  const ordered = migrations.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const [at, migration] of ordered.entries()) {
    const time = timeOf(migration);
    const before = ordered[at - 1];
    if (time === '') {
      const example = '20261128_loans.ts';
      throw new Error(`${migration.file}: its name has to begin with its time, as ${example} does`);
    }
    if (before !== undefined && timeOf(before) === time) {
      const both = `${migration.file} and ${before.file}`;
      throw new Error(`${both} have one time: give one of them another`);
    }
  }
  return ordered;
};

/**
 * Finds the migrations that have not run.
 *
 * @param done - the names of those that have, as they were recorded
 * @throws Error in one sentence where one that ran was changed, or is gone
 */
const pendingOf = (
  service: string,
  migrations: readonly OwnMigration[],
  done: readonly string[],
): readonly OwnMigration[] => {
  const ordered = inOrder(migrations);
  for (const recorded of done) {
    const [name = ''] = recorded.split(' ');
    const migration = ordered.find((one) => one.name === name);
    if (migration === undefined) {
      throw new Error(
        `The migration ${name} of ${service} has run, and its file is gone: put it back, or undo it before with admin migrate --down ${service}`,
      );
    }
    if (recordedAs(migration) !== recorded) {
      throw new Error(
        `${migration.file} was changed after it ran: put it back, and change the tables by another migration`,
      );
    }
  }
  return ordered.filter((one) => !done.includes(recordedAs(one)));
};

/** Takes `up` or `down` of a migration, whose statements go by the rule of values. */
const stepOf = async (
  db: OwnDatabase,
  migration: OwnMigration,
  direction: 'up' | 'down',
): Promise<(trx: Knex) => Promise<void>> => {
  const step: unknown = (await migration.load())[direction];
  if (typeof step !== 'function') {
    throw new Error(`${migration.file}: it has to export a function \`${direction}\``);
  }
  return async (trx) => {
    let isAuthors = true;
    // The stack then names the line of the migration.
    trx.client.config = { ...trx.client.config, asyncStackTraces: true };
    overrideClient(trx, async (connection, sql, values) => {
      if (isAuthors) requireOwnTables(sql, new Set());
      return db.runOn(connection, sql, values);
    });
    try {
      await step(trx);
    } catch (error) {
      const message = `${migration.placeOf(error)}: ${errorMessage(error)}. Nothing of it stays`;
      throw new Error(message, { cause: error });
    } finally {
      isAuthors = false;
    }
  };
};

/** Makes the settings of Knex's migrator; it runs in the transaction that it is given. */
const migratorSettings = (
  service: string,
  steps: readonly Readonly<{ name: string; migration: Knex.Migration }>[],
) => ({
  tableName: tableOf(service),
  disableTransactions: true,
  disableMigrationsListValidation: true,
  migrationSource: {
    getMigrations: async () => [...steps],
    getMigrationName: ({ name }: { readonly name: string }) => name,
    getMigration: async ({ migration }: { readonly migration: Knex.Migration }) => migration,
  },
});

const doneIn = async (trx: Knex, service: string): Promise<readonly string[]> => {
  const [done] = await trx.migrate.list(migratorSettings(service, []));
  return done.map(({ name }: { readonly name: string }) => name);
};

/**
 * Runs what has not run, in order.
 *
 * @returns the files of those that it ran
 * @throws Error in one sentence: of a migration that fails nothing stays, and none behind it runs
 */
export const migrateOwn = async (
  db: OwnDatabase,
  service: string,
  migrations: readonly OwnMigration[],
): Promise<readonly string[]> => {
  const ran: string[] = [];
  // One that ran may be gone.
  if (migrations.length === 0 && !(await db.knex.schema.hasTable(tableOf(service)))) return ran;
  let isDone = false;
  while (!isDone) {
    await db.changeTables(async (trx) => {
      const [next] = pendingOf(service, migrations, await doneIn(trx, service));
      isDone = next === undefined;
      if (next === undefined) return;
      const migration = { up: await stepOf(db, next, 'up'), down: async () => undefined };
      await trx.migrate.up(migratorSettings(service, [{ name: recordedAs(next), migration }]));
      ran.push(next.file);
    });
  }
  return ran;
};

/**
 * Undoes the last migration of a service.
 *
 * @returns its file
 * @throws Error in one sentence; Refusal where none has run, or its file is gone
 */
export const undoMigration = async (
  db: OwnDatabase,
  service: string,
  migrations: readonly OwnMigration[],
): Promise<string> => {
  let undone = '';
  await db.changeTables(async (trx) => {
    const last = (await doneIn(trx, service)).toSorted().at(-1);
    if (last === undefined) throw new Refusal(`No migration of ${service} has run.`);
    const [name] = last.split(' ');
    const found = migrations.find((one) => one.name === name);
    if (found === undefined)
      throw new Refusal(`The file of the migration ${name} is gone: put it back.`);
    const migration = { up: async () => undefined, down: await stepOf(db, found, 'down') };
    await trx.migrate.down(migratorSettings(service, [{ name: last, migration }]));
    undone = found.file;
  });
  return undone;
};

/** Plans the migrations of a service that have not run: their statements; nothing is changed. */
export const planOwnMigrations = async (
  trx: Knex.Transaction,
  service: string,
  migrations: readonly OwnMigration[],
) => {
  if (migrations.length === 0) return [];
  const table = tableOf(service);
  const isThere = await trx.schema.hasTable(table);
  const done: string[] = isThere ? await trx(table).pluck('name') : [];
  const planned = [];
  for (const migration of pendingOf(service, migrations, done)) {
    const { up } = await migration.load();
    const work = typeof up === 'function' ? () => up(trx) : async () => undefined;
    const statements = await recordStatements(trx, work, !isThere || planned.length > 0);
    planned.push({ name: migration.file, statements });
  }
  return planned;
};
