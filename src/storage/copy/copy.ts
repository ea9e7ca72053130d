/** Copies everything from one database into another, empty one, of whatever kinds, and compares both at the end. */

import { isDeepStrictEqual } from 'node:util';
import { connectionErrorHint, DatabaseUnavailable, Refusal } from '../connections/database-errors';
import type { Database } from '../database/database';
import { errorFacts } from '../sql/dialect';
import {
  type Digest,
  insertRows,
  type Row,
  readPages,
  startDigest,
  type Table,
} from './table-rows';
import { columnsOf, type KeyedTable, setSequences, tables } from './tables';

/** What is being done to a table, and how far it is. */
export interface CopyStep {
  readonly doing: 'copied' | 'compared';
  readonly table: string;
  readonly done: number;
  /** Undefined where the database does not count that many rows in time. */
  readonly total: number | undefined;
}

/** Called after each page, which waits for it; `done` is `total` at the end of the table. */
export type CopyProgress = (step: CopyStep) => void | Promise<void>;

/** What a table holds at the end. */
export interface CopiedTable {
  readonly table: string;
  readonly source: Digest;
  readonly target: Digest;
  /** Undefined where both sides are the same, else one sentence. */
  readonly problem: string | undefined;
}

/** A table with the number of its rows in the source. */
interface CountedTable extends Table {
  readonly total: number | undefined;
}

const startAgain = 'start again with an empty target';
const sourceChanged = (table: string): string =>
  `The source changed while it was copied (table "${table}"): stop its servers and ${startAgain}.`;

const countRows = async ({ knex }: Database, table: string): Promise<number | undefined> => {
  try {
    const [counted] = await knex(table).count({ count: '*' });
    return Number(counted?.['count']);
  } catch {
    return undefined;
  }
};

const checkTable = async (
  source: Database,
  target: Database,
  table: KeyedTable,
): Promise<CountedTable> => {
  const { name } = table;
  const columns = await columnsOf(source.knex, name);
  if (!isDeepStrictEqual(columns, await columnsOf(target.knex, name))) {
    throw new Refusal(`The table "${name}" has different columns in the source and the target.`);
  }
  if ((await target.knex(name).first(target.knex.raw('1'))) !== undefined) {
    throw new Refusal(
      `The target is not empty, it has rows in the table "${name}": ${startAgain}.`,
    );
  }
  return { ...table, columns, total: await countRows(source, name) };
};

/** SQLite's result code, and PostgreSQL's `foreign_key_violation`. */
const foreignKeyViolations = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503']);

const insertPage = async (target: Database, table: string, page: readonly Row[]): Promise<void> => {
  try {
    await insertRows(target, table, page);
  } catch (cause) {
    // Rows that the source's servers remove or add meanwhile leave others without the row that they refer to.
    if (foreignKeyViolations.has(errorFacts(cause).code))
      throw new Error(sourceChanged(table), { cause });
    const reason = connectionErrorHint(cause instanceof DatabaseUnavailable ? cause.cause : cause);
    const message = `The table "${table}" cannot be copied (${reason}): ${startAgain}.`;
    throw new Error(message, { cause });
  }
};

/** Resolves to the digest of what was read. */
const readTable = async (
  db: Database,
  table: Table,
  work: (page: readonly Row[], done: number) => void | Promise<void> = () => {},
): Promise<Digest> => {
  const digesting = startDigest();
  let done = 0;
  for await (const page of readPages(db, table)) {
    for (const row of page) digesting.add(table.columns.map(({ name }) => row[name] ?? null));
    done += page.length;
    await work(page, done);
  }
  return digesting.digest();
};

const problemOf = (table: string, read: Digest, source: Digest, target: Digest) => {
  if (!isDeepStrictEqual(read, source)) return sourceChanged(table);
  if (isDeepStrictEqual(source, target)) return undefined;
  return `The table "${table}" differs between the source and the target: ${startAgain}.`;
};

/**
 * Copies all rows of all tables in one pass, and compares both sides at the end. The source is only read. A copy that was
 * interrupted has to start again with an empty target.
 *
 * @returns each table with what both sides hold, in the order of the copy
 * @throws Refusal where the target is not empty (the source itself, for instance) or has other columns; Error where
 *   a table cannot be copied; DatabaseUnavailable
 */
export const copyDatabase = async (
  source: Database,
  target: Database,
  progress: CopyProgress,
): Promise<CopiedTable[]> => {
  const checked: CountedTable[] = [];
  for (const table of tables) checked.push(await checkTable(source, target, table));
  const reads: Digest[] = [];
  for (const table of checked) {
    const { name, total } = table;
    const read = await readTable(source, table, async (page, done) => {
      await insertPage(target, name, page);
      await progress({ doing: 'copied', table: name, done, total });
    });
    reads.push(read);
  }
  await setSequences(target);
  const copied: CopiedTable[] = [];
  for (const [at, table] of checked.entries()) {
    const { name, total } = table;
    const [now, arrived] = await Promise.all([
      readTable(source, table, (_, done) =>
        progress({ doing: 'compared', table: name, done, total }),
      ),
      readTable(target, table),
    ]);
    const problem = problemOf(name, reads[at] ?? now, now, arrived);
    copied.push({ table: name, source: now, target: arrived, problem });
  }
  return copied;
};
