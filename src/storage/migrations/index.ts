/** The migrations in their order, and which databases they can bring up to date. */

import type { Knex } from 'knex';
import { programVersion } from '../../base/text/program-version';
import { baseline } from './baseline';

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
