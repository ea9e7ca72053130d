/** The migrations in their order, and which databases they can bring up to date. */

import type { Knex } from 'knex';
import { programVersion } from '../../base/text/program-version';
import { baseline, lastOfVersion010 } from './baseline';

interface NamedMigration {
  readonly name: string;
  readonly migration: Knex.Migration;
  /** Of a contraction, which takes away or narrows what is there: the first version that works without it, which is released. */
  readonly unusedSince?: string;
}

/** Device codes (RFC 8628). Times are milliseconds since 1970 (UTC). */
const deviceCodes: Knex.Migration = {
  up: (db) =>
    db.schema.createTable('device_codes', (table) => {
      table.text('hash').primary();
      table.text('service').notNullable();
      table.text('user_code_hash').notNullable();
      table.text('client').notNullable();
      // Null until a user has allowed it.
      table.integer('user_key').unsigned().references('users.key').onDelete('CASCADE').index();
      table.text('scopes').notNullable();
      table.integer('is_denied').notNullable();
      table.bigInteger('expires_at').notNullable().index();
      table.integer('poll_seconds').notNullable();
      table.bigInteger('next_poll_at').notNullable();
      table.unique(['service', 'user_code_hash']);
    }),
};

/** Users who may not sign in, and the keys that others have replaced and that are good until a time. Version 0.2.0 can use the tables. */
const disabledUsersAndReplacedKeys: Knex.Migration = {
  up: async (db) => {
    await db.schema.alterTable('users', (table) => table.bigInteger('disabled_at'));
    await db.schema.alterTable('api_keys', (table) => {
      table.text('previous_hash');
      table.bigInteger('previous_created_at');
      table.bigInteger('previous_until');
      table.index(['service', 'previous_hash']);
    });
  },
};

/**
 * Names begin with a number, and each is greater than those before it. Once released, an entry is never changed. The version before
 * runs beside it: `src/decisions/0016-expand-then-contract.md` says what they may do.
 */
export const migrations: readonly [NamedMigration, ...NamedMigration[]] = [
  { name: '0016-baseline', migration: baseline },
  { name: '0017-device-codes', migration: deviceCodes },
  { name: '0018-disabled-users-and-replaced-keys', migration: disabledUsersAndReplacedKeys },
];

const refuseToGoBack = async (): Promise<void> => {
  throw new Error('A migration is not undone: restore a backup');
};

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  // Knex asks for a way back, which only a backup is.
  getMigration: async ({ migration }) => ({ down: refuseToGoBack, ...migration }),
};

/** The name of the last migration of this version. */
export const newest = (migrations.at(-1) ?? migrations[0]).name;

/** Finds why a database with these migrations cannot be opened by this version; undefined where it can be. */
export const versionProblem = (done: readonly { readonly name: string }[]): string | undefined => {
  const later = done.find(({ name }) => name > newest);
  if (later !== undefined) {
    const known = `migration ${later.name}; version ${programVersion()} ends with ${newest}`;
    return `it was written by a newer version of this program (${known}), so run that version`;
  }
  const isKnown = done.some(({ name }) => name === lastOfVersion010 || name === migrations[0].name);
  return done.length === 0 || isKnown
    ? undefined
    : 'it was written by an older version of this program, so start version 0.1.0 on it first';
};

/**
 * Brings the tables up to date.
 *
 * @throws Error where a newer version made them, or one before 0.1.0
 */
export const migrate = async (trx: Knex.Transaction): Promise<void> => {
  // The records of version 0.1.0 stay, and are none of these migrations.
  const source = { migrationSource, disableMigrationsListValidation: true };
  const [done] = await trx.migrate.list(source);
  const problem = versionProblem(done);
  if (problem !== undefined) throw new Error(problem);
  await trx.migrate.latest(source);
};
