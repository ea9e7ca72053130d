/** The migrations in their order, listed by name, so that what the database records does not depend on how we run. */

import type { Knex } from 'knex';
import { resourceTables } from './0001-resources';
import { identityTables } from './0002-identity';
import { growth } from './0003-growth';
import { authorizationCodes } from './0004-oauth';
import { nextRetiredId } from './0006-next-retired-id';
import { collectionTables } from './0010-collections';

interface NamedMigration {
  readonly name: string;
  readonly migration: Knex.Migration;
}

/** Changed how SQLite stored tables that 0010 replaces, and nothing that was in them: there is nothing left to do. */
const superseded: Knex.Migration = { up: async () => undefined };

/** Once released, an entry is never renamed or moved, nor is what it leaves behind changed. */
const MIGRATIONS: readonly NamedMigration[] = [
  { name: '0001-resources', migration: resourceTables },
  { name: '0002-identity', migration: identityTables },
  { name: '0003-growth', migration: growth },
  { name: '0004-oauth', migration: authorizationCodes },
  { name: '0005-tags-by-name', migration: superseded },
  { name: '0006-next-retired-id', migration: nextRetiredId },
  { name: '0007-tags-alone', migration: superseded },
  { name: '0008-ads-without-sequence', migration: superseded },
  { name: '0009-orders-by-id', migration: superseded },
  { name: '0010-collections', migration: collectionTables },
];

const refuseToGoBack = async (): Promise<void> => {
  throw new Error('A migration is not undone: restore a backup');
};

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: ({ name }) => name,
  // Knex asks for a way back, and there is none but a backup.
  getMigration: async ({ migration }) => ({ down: refuseToGoBack, ...migration }),
};
