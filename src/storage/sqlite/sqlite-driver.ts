/** The package better-sqlite3, in the version for this Node.js, and Knex's client over it. */

import type { Knex } from 'knex';
import { errorMessage } from '../../base/error-message';
import { lazy } from '../../base/memoize';

const [major] = process.versions.node.split('.');

const isInstalled = (name: string): boolean => {
  try {
    return require.resolve(name) !== '';
  } catch {
    return false;
  }
};

/**
 * Version 13 needs Node.js 22; version 12 may end Node.js 24.19 and newer when its statements are collected
 * (github.com/nodejs/node/issues/65446). Users of the package have one of them, by its own name.
 */
const name =
  Number(major) < 22 && isInstalled('better-sqlite3-12') ? 'better-sqlite3-12' : 'better-sqlite3';

/**
 * Loads the package, which programs on another database can do without.
 * @throws Error where npm has left it out, since it could not be compiled
 */
export const sqliteDriver: () => typeof import('better-sqlite3') = lazy(() => {
  try {
    return require(name) as typeof import('better-sqlite3');
  } catch (cause) {
    const [reason] = errorMessage(cause).split('\n', 1);
    const hint = 'npm installs it, where needed by Python and a C++ compiler';
    throw new Error(`the package ${name} cannot be loaded (${reason}): ${hint}`, { cause });
  }
});

// Knex's types do not tell of its dialects.
const Client = require('knex/lib/dialects/better-sqlite3') as typeof Knex.Client;

/** Knex's client; by itself it would take whatever version has the package's own name. */
export class SqliteClient extends Client {
  protected _driver(): unknown {
    return sqliteDriver();
  }
}
