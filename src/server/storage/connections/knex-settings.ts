/** How Knex is set up, whatever the database. */

import type { Knex } from 'knex';

const ignore = (): void => {};

export const knexSettings = {
  // Knex prints what it throws, too.
  log: { warn: ignore, error: ignore } satisfies Knex.Logger,
  // Errors are logged: with the values bound they would reveal hashes and personal data.
  compileSqlOnError: false,
  // How long to wait for a connection; milliseconds.
  acquireConnectionTimeout: 5000,
} as const;
