/** The migrations in their order, listed by name, so that what the database records does not depend on how we run. */

import type { Knex } from 'knex';
import { resourceTables } from './0001-resources';
import { identityTables } from './0002-identity';
import { growth } from './0003-growth';
import { authorizationCodes } from './0004-oauth';
import { tagsByName } from './0005-tags-by-name';
import { nextRetiredId } from './0006-next-retired-id';
import { tagsAlone } from './0007-tags-alone';
import { adsWithoutSequence } from './0008-ads-without-sequence';
import { ordersById } from './0009-orders-by-id';
import { collectionTables } from './0010-collections';
import { fileAddresses } from './0011-file-addresses';
import { fittedItems } from './0012-fitted-items';
import { walks } from './0013-walks';
import { identity } from './0014-identity';
import { fileOwners } from './0015-file-owners';

interface NamedMigration {
  readonly name: string;
  readonly migration: Knex.Migration;
}

/** Once released, an entry is never renamed, moved or changed. */
const MIGRATIONS: readonly NamedMigration[] = [
  { name: '0001-resources', migration: resourceTables },
  { name: '0002-identity', migration: identityTables },
  { name: '0003-growth', migration: growth },
  { name: '0004-oauth', migration: authorizationCodes },
  { name: '0005-tags-by-name', migration: tagsByName },
  { name: '0006-next-retired-id', migration: nextRetiredId },
  { name: '0007-tags-alone', migration: tagsAlone },
  { name: '0008-ads-without-sequence', migration: adsWithoutSequence },
  { name: '0009-orders-by-id', migration: ordersById },
  { name: '0010-collections', migration: collectionTables },
  { name: '0011-file-addresses', migration: fileAddresses },
  { name: '0012-fitted-items', migration: fittedItems },
  { name: '0013-walks', migration: walks },
  { name: '0014-identity', migration: identity },
  { name: '0015-file-owners', migration: fileOwners },
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

/** Tells whether one of the migrations that a database has had is unknown here: a newer version of the program has made it. */
export const isFromNewerVersion = (done: readonly { readonly name: string }[]): boolean =>
  done.some(({ name }) => !MIGRATIONS.some((known) => known.name === name));
