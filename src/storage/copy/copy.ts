/** Copies everything from one database into another, empty one, of whatever kinds, and compares both at the end. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { connectionErrorHint, DatabaseUnavailable, Refusal } from '../connections/database-errors';
import type { Database } from '../database/database';
import { type Row, readPages, setSequences, type Table, tables } from './tables';

/** The progress of a table. */
export interface CopyStep {
  readonly doing: 'copied' | 'compared';
  readonly table: string;
  readonly done: number;
  readonly isComplete: boolean;
}

/** Called after each page, which waits for it, and at the end of each table. */
export type CopyProgress = (step: CopyStep) => void | Promise<void>;

/** The rows of a table: their number, and hexadecimal the sum of their SHA-256, since databases sort texts in different orders. */
interface Digest {
  readonly rows: number;
  readonly checksum: string;
}

/** The rows of a table at the end. */
export interface CopiedTable {
  readonly table: string;
  readonly source: Digest;
  readonly target: Digest;
  /** Undefined where both sides are the same, else one sentence. */
  readonly problem: string | undefined;
}

const startAgain = 'start again with an empty target';
const sourceChanged = (table: string): string =>
  `The source changed while it was copied (table "${table}"): stop its servers and ${startAgain}.`;

const requireEmpty = async ({ knex }: Database): Promise<void> => {
  for (const { name } of tables) {
    if ((await knex(name).first(knex.raw('1'))) === undefined) continue;
    throw new Refusal(
      `The target is not empty, it has rows in the table "${name}": ${startAgain}.`,
    );
  }
};

const insertPage = async (
  { knex, prepare, transaction }: Database,
  table: string,
  page: readonly Row[],
): Promise<void> => {
  try {
    await transaction((trx) => trx.run(prepare(knex(table).insert(page)), {}));
  } catch (cause) {
    const reason = connectionErrorHint(cause instanceof DatabaseUnavailable ? cause.cause : cause);
    const message = `The table "${table}" cannot be copied (${reason}): stop the source's servers and ${startAgain}.`;
    throw new Error(message, { cause });
  }
};

/** Written before a cell: no two cells, nor two rows of cells, are hashed alike. */
const prefixOf = (cell: string | Buffer | null): string => {
  if (cell === null) return 'null;';
  return typeof cell === 'string' ? `text ${Buffer.byteLength(cell)};` : `bytes ${cell.length};`;
};

const hashOf = (row: Row): bigint => {
  const hash = createHash('sha256');
  for (const name of Object.keys(row).sort()) {
    const cell = row[name] ?? null;
    hash.update(prefixOf(cell));
    if (cell !== null) hash.update(cell);
  }
  return BigInt(`0x${hash.digest('hex')}`);
};

/** Reads a table, and gives the digest of what was read. */
const readTable = async (
  db: Database,
  table: Table,
  work: (page: readonly Row[], done: number) => void | Promise<void>,
): Promise<Digest> => {
  let [rows, sum] = [0, 0n];
  for await (const page of readPages(db, table)) {
    for (const row of page) sum = (sum + hashOf(row)) % 2n ** 256n;
    rows += page.length;
    await work(page, rows);
  }
  return { rows, checksum: sum.toString(16).padStart(64, '0') };
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
 * @returns each table with the rows of both sides, in the order of the copy
 * @throws Refusal where the target is not empty (the source itself, for instance); Error where a table cannot be copied;
 *   DatabaseUnavailable
 */
export const copyDatabase = async (
  source: Database,
  target: Database,
  progress: CopyProgress,
): Promise<CopiedTable[]> => {
  await requireEmpty(target);
  const readSource = async (
    table: Table,
    doing: CopyStep['doing'],
    work: (page: readonly Row[]) => void | Promise<void>,
  ): Promise<Digest> => {
    const { name } = table;
    const digest = await readTable(source, table, async (page, done) => {
      await work(page);
      await progress({ doing, table: name, done, isComplete: false });
    });
    await progress({ doing, table: name, done: digest.rows, isComplete: true });
    return digest;
  };
  const reads = new Map<Table, Digest>();
  for (const table of tables) {
    const insert = (page: readonly Row[]) => insertPage(target, table.name, page);
    reads.set(table, await readSource(table, 'copied', insert));
  }
  await setSequences(target);
  const ignore = (): void => {};
  const copied: CopiedTable[] = [];
  for (const [table, read] of reads) {
    const [now, arrived] = await Promise.all([
      readSource(table, 'compared', ignore),
      readTable(target, table, ignore),
    ]);
    const problem = problemOf(table.name, read, now, arrived);
    copied.push({ table: table.name, source: now, target: arrived, problem });
  }
  return copied;
};
