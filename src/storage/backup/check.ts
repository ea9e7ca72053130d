/** Opens SQLite files that no server has open, and checks what they hold. */

import { promisify } from 'node:util';
import { Database, OPEN_READWRITE } from 'sqlite3';
import { Refusal } from '../connections/database-errors';
import { versionProblem } from '../migrations/index';
import { errorFacts } from '../sql/dialect';

/** Runs one statement and gives its rows. */
type Ask = <Row>(sql: string, values?: readonly string[]) => Promise<Row[]>;

/** Opens a file that exists, as it is, does the work, and closes it. */
export const withSqliteFile = async <Result>(
  path: string,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> => {
  const database = await new Promise<Database>((resolve, reject) => {
    const opened = new Database(path, OPEN_READWRITE, (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  const all = promisify<string, readonly string[], never[]>(database.all.bind(database));
  try {
    return await work((sql, values = []) => all(sql, values));
  } finally {
    await promisify(database.close.bind(database))();
  }
};

/** Tells whether SQLite's code is that of no database, or of a damaged one. */
export const isDamage = (error: unknown): boolean =>
  ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(errorFacts(error).code);

/** A check finds what is wrong with a file: a part of a sentence about it; undefined where nothing is. */
type Check = (ask: Ask) => Promise<string | undefined>;

/** Reads all pages: the trees of tables and indexes, each row and its entries in indexes. */
const integrity: Check = async (ask) => {
  const [check] = await ask<{ integrity_check: string }>('pragma integrity_check(1)');
  return check?.integrity_check === 'ok' ? undefined : `is damaged: ${check?.integrity_check}`;
};

const migrations: Check = async (ask) => {
  const tables = await ask(`select name from sqlite_master where name = 'knex_migrations'`);
  const done =
    tables.length > 0 ? await ask<{ name: string }>('select * from knex_migrations') : [];
  if (done.length === 0) return 'is no database of these services';
  const problem = versionProblem(done);
  return problem && `is refused: ${problem}`;
};

const references: Check = async (ask) => {
  const [row] = await ask<Record<'table' | 'parent', string>>('pragma foreign_key_check');
  return row && `is damaged: a row of "${row.table}" refers to none of "${row.parent}"`;
};

/** The checks of what is to be a backup, and of what is to be restored. */
export const backupChecks: readonly Check[] = [integrity, references];
export const restoreChecks: readonly Check[] = [integrity, migrations, references];

/** The numbers of rows by the names of tables. */
export type TableRows = Readonly<Record<string, number>>;

const countRows = async (ask: Ask): Promise<TableRows> => {
  const tables = await ask<{ name: string }>(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'knex%' order by name`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [counted] = await ask<{ rows: number }>(`select count(*) as rows from "${name}"`);
    counts[name] = counted?.rows ?? 0;
  }
  return counts;
};

/**
 * Checks a file, and counts its rows.
 *
 * @param name - of the file to its operator; it is read at the path
 * @throws Refusal where a check finds something wrong
 */
export const checkFile = (
  path: string,
  name: string,
  checks: readonly Check[],
): Promise<TableRows> =>
  withSqliteFile(path, async (ask) => {
    for (const check of checks) {
      const problem = await check(ask);
      if (problem !== undefined) throw new Refusal(`The file "${name}" ${problem}.`);
    }
    return countRows(ask);
  }).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    throw new Refusal(`The file "${name}" is no database, or a damaged one.`);
  });
