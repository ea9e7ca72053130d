/** Decides whether a file is a whole backup of a database of ours. */

import { migrationSource } from '../migrations/index';
import { BackupRefused } from './backup';
import { type Ask, codeOf, withSqliteFile } from './backup-connection';

// SQLite's result codes for what is no database, or no whole one.
const damaged = /^SQLITE_(NOTADB|CORRUPT)/;

/** Whether the error says that a file is no database, or a damaged one. */
export const isDamage = (error: unknown): boolean => damaged.test(codeOf(error));

const requireWhole = (ask: Ask, file: string): void => {
  const [first] = ask<{ integrity_check: string }>('pragma integrity_check(1)');
  if (first?.integrity_check !== 'ok') {
    throw new BackupRefused(`The file "${file}" is damaged: ${first?.integrity_check}.`);
  }
};

const requireOurs = async (ask: Ask, file: string): Promise<void> => {
  const tables = ask(
    `select name from sqlite_master where type = 'table' and name = 'knex_migrations'`,
  );
  const made = tables.length === 0 ? [] : ask<{ name: string }>('select name from knex_migrations');
  if (made.length === 0) {
    throw new BackupRefused(`The file "${file}" is no database of these services.`);
  }
  const known = await migrationSource.getMigrations([]);
  const names = new Set(known.map((migration) => migrationSource.getMigrationName(migration)));
  if (made.some(({ name }) => !names.has(name))) {
    throw new BackupRefused(`The file "${file}" comes from a later version of this program.`);
  }
};

/**
 * Passes a database that this program can open.
 *
 * @param path - where the file is read
 * @param file - what the operator calls it
 * @throws BackupRefused where it is no database, damaged, not ours, or from a later version
 */
export const checkBackup = async (path: string, file: string): Promise<void> => {
  try {
    await withSqliteFile(path, async (ask) => {
      requireWhole(ask, file);
      await requireOurs(ask, file);
    });
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new BackupRefused(`The file "${file}" is no database, or a damaged one.`);
  }
};
