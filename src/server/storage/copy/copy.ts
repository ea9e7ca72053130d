/** Copies everything from one database into another, of whatever kinds, and proves that it arrived. */

import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../database/database';
import { addingFailed, sourceChanged } from './copy-faults';
import { isSameDatabase } from './copy-identity';
import { setSequences } from './copy-sequences';
import { columnsOf } from './table-columns';
import { type Digest, isSame, isSameRow, startDigest } from './table-digest';
import { type KeyedTable, tables } from './table-list';
import { type TableRows, tableRows } from './table-rows';
import type { Row } from './table-statements';

/** The copy was not begun, and nothing was changed; the message is one sentence for an operator. */
export class CopyRefused extends Error {}

/** What is being done to a table, and how far it is. */
export interface CopyStep {
  readonly doing: 'checked' | 'copied' | 'compared';
  readonly table: string;
  readonly done: number;
  /** Undefined where the database does not count that many rows in time. */
  readonly total: number | undefined;
}

/** Told after each page, which waits for it; `done` is `total` when the table is through. */
export type CopyProgress = (step: CopyStep) => void | Promise<void>;

/** What a table holds in the end. */
export interface CopiedTable {
  readonly table: string;
  readonly source: Digest;
  readonly target: Digest;
  /** Undefined where all is well, else one sentence. */
  readonly fault: string | undefined;
}

interface Pair {
  readonly table: string;
  readonly source: TableRows;
  readonly target: TableRows;
  readonly total: number | undefined;
}

const countOf = async ({ knex }: Database, table: string): Promise<number | undefined> => {
  try {
    const [counted] = await knex(table).count({ count: '*' });
    return Number(counted?.['count']);
  } catch {
    return undefined;
  }
};

const pairOf = async (source: Database, target: Database, table: KeyedTable): Promise<Pair> => {
  const { name } = table;
  const columns = await columnsOf(source.knex, name);
  if (!isDeepStrictEqual(columns, await columnsOf(target.knex, name))) {
    throw new CopyRefused(
      `The table "${name}" has different columns in the source and the target.`,
    );
  }
  return {
    table: name,
    source: tableRows(source, table, columns),
    target: tableRows(target, table, columns),
    total: await countOf(source, name),
  };
};

/** Resolves to how many rows the target holds; throws where one of them is none of the source's. */
const checkHeld = async (
  { table, source, target, total }: Pair,
  progress: CopyProgress,
): Promise<number> => {
  let held = 0;
  for await (const page of target.pages()) {
    const found = new Map((await source.find(page)).map((row) => [source.keyOf(row), row]));
    const isForeign = (row: Row): boolean => {
      const original = found.get(target.keyOf(row));
      return original === undefined || !isSameRow(row, original);
    };
    if (page.some(isForeign)) {
      throw new CopyRefused(
        `The target holds what the source does not, in the table "${table}": copy into an empty database.`,
      );
    }
    held += page.length;
    await progress({ doing: 'checked', table, done: held, total });
  }
  return held;
};

/** Those rows of a page that the target does not hold yet; `held` are all that it holds, and all of them the source's. */
const missingOf = async (
  { target, total }: Pair,
  held: number,
  page: readonly Row[],
): Promise<readonly Row[]> => {
  if (held === 0) return page;
  if (held === total) return [];
  const there = new Set((await target.find(page)).map(target.keyOf));
  return page.filter((row) => !there.has(target.keyOf(row)));
};

const addTo = async ({ table, target }: Pair, rows: readonly Row[]): Promise<void> => {
  if (rows.length === 0) return;
  try {
    await target.add(rows);
  } catch (error) {
    throw addingFailed(table, error);
  }
};

const digestOf = async (
  rows: TableRows,
  tell: (done: number) => void | Promise<void>,
  work: (page: readonly Row[]) => Promise<void> = async () => {},
): Promise<Digest> => {
  const digesting = startDigest();
  for await (const page of rows.pages()) {
    await work(page);
    digesting.add(page);
    await tell(digesting.rows);
  }
  return digesting.digest();
};

/** Resolves to the digest of what was read. */
const copyTable = (pair: Pair, held: number, progress: CopyProgress): Promise<Digest> => {
  const { table, source, total } = pair;
  return digestOf(
    source,
    (done) => progress({ doing: 'copied', table, done, total }),
    async (page) => addTo(pair, await missingOf(pair, held, page)),
  );
};

const faultOf = (
  table: string,
  read: Digest,
  source: Digest,
  target: Digest,
): string | undefined => {
  if (!isSame(read, source)) return `${sourceChanged}; the table "${table}" is not what it was.`;
  if (isSame(source, target)) return undefined;
  return `The table "${table}" differs between the source and the target.`;
};

const compareTable = async (
  { table, source, target, total }: Pair,
  read: Digest,
  progress: CopyProgress,
): Promise<CopiedTable> => {
  const tell = (done: number) => progress({ doing: 'compared', table, done, total });
  const [now, copied] = await Promise.all([digestOf(source, tell), digestOf(target, () => {})]);
  return { table, source: now, target: copied, fault: faultOf(table, read, now, copied) };
};

/**
 * Copies all rows of all tables, and compares both sides in the end. What an interrupted copy has left is not copied again.
 * The source is only read.
 *
 * @returns how each table came out, the first fault first to be told
 * @throws CopyRefused where the target is the source, or holds what the source does not; DatabaseUnavailable
 */
export const copyDatabase = async (
  source: Database,
  target: Database,
  progress: CopyProgress,
): Promise<CopiedTable[]> => {
  if (await isSameDatabase(source, target)) {
    throw new CopyRefused('The source and the target are the same database.');
  }
  const pairs: { pair: Pair; held: number }[] = [];
  for (const table of tables) {
    const pair = await pairOf(source, target, table);
    pairs.push({ pair, held: await checkHeld(pair, progress) });
  }
  const read: { pair: Pair; digest: Digest }[] = [];
  for (const { pair, held } of pairs) {
    read.push({ pair, digest: await copyTable(pair, held, progress) });
  }
  await setSequences(target);
  const copied: CopiedTable[] = [];
  for (const { pair, digest } of read) copied.push(await compareTable(pair, digest, progress));
  return copied;
};
