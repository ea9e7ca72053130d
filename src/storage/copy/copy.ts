/**
 * Copies everything from one database into another, empty one, of whatever kinds, and compares both at the end: every table of the
 * services, and its rows, read exactly whatever its columns are.
 */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { connectionErrorHint, DatabaseUnavailable, Refusal } from '../connections/database-errors';
import type { Database } from '../database/database';
import { type ServerTable, tables } from '../migrations/index';
import { isPostgres } from '../sql/dialect';
import type { Values } from '../sql/statement';

/** The values of a row by the names of their columns; integers are decimal text. */
type Row = Readonly<Record<string, string | Buffer | null>>;

interface Column {
  readonly name: string;
  readonly isInteger: boolean;
}

/** Reads the columns of a table. Throws Error where a column has a type that cannot be copied exactly. */
export const columnsOf = async (knex: Knex, table: string): Promise<Column[]> => {
  const found = Object.entries(await knex(table).columnInfo());
  return found.map(([name, { type }]) => {
    const isInteger = ['bigint', 'integer'].includes(type);
    if (!isInteger && !['text', 'blob', 'bytea'].includes(type)) {
      throw new Error(`The column "${name}" of "${table}" has the unknown type "${type}".`);
    }
    return { name, isInteger };
  });
};

/** Composes a query of the rows after the last one, or of the first ones, in the order of the key. */
export const pageQuery = (
  knex: Knex,
  { name, key, pageRows = 128 }: ServerTable,
  columns: readonly Column[],
  last: Row | undefined,
): Knex.QueryBuilder => {
  // Without the table's name `order by` would take the text that a number is read as.
  const keyNames = key.map((keyName) => `${name}.${keyName}`);
  const exactly = columns.map((column) =>
    column.isInteger ? knex.raw('cast(?? as text) as ??', [column.name, column.name]) : column.name,
  );
  const rows = knex(name).select(exactly).orderBy(keyNames).limit(pageRows);
  if (last === undefined) return rows;
  const marks = (mark: string): string => keyNames.map(() => mark).join(', ');
  // With casts SQLite would look up nothing but the first column, and read all rows that share it.
  return rows.whereRaw(`(${marks('??')}) > (${marks('?')})`, [
    ...keyNames,
    ...key.map((keyName) => last[keyName] ?? null),
  ]);
};

/** Lets PostgreSQL assign keys behind the largest. Keys of one column that is called `key` are the database's own to assign. */
const setSequences = async ({ knex }: Database): Promise<void> => {
  if (!isPostgres(knex)) return;
  for (const { name } of tables.filter(({ key }) => key.length === 1 && key[0] === 'key')) {
    await knex.raw(
      `select setval(pg_get_serial_sequence(?, 'key'), largest)
        from (select max(key) as largest from ??) as keys`,
      [name, name],
    );
  }
};

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

/** Written before a cell: no two cells, nor two rows of cells, are hashed alike. */
const prefixOf = (cell: string | Buffer | null): string => {
  if (cell === null) return 'null;';
  return typeof cell === 'string' ? `text ${Buffer.byteLength(cell)};` : `bytes ${cell.length};`;
};

/** Reads all rows page by page in the order of the key, as this database sorts it. */
const readTable = async (
  { knex, prepare, all }: Database,
  table: ServerTable,
  work: (page: readonly Row[], done: number) => void | Promise<void>,
): Promise<Digest> => {
  const columns = await columnsOf(knex, table.name);
  let [rows, sum] = [0, 0n];
  let page: readonly Row[] = [];
  do {
    const query = pageQuery(knex, table, columns, page.at(-1));
    page = await all(prepare<Values, Row>(query), {});
    for (const row of page) {
      const hash = createHash('sha256');
      for (const name of Object.keys(row).sort()) {
        const cell = row[name] ?? null;
        hash.update(prefixOf(cell));
        if (cell !== null) hash.update(cell);
      }
      sum = (sum + BigInt(`0x${hash.digest('hex')}`)) % 2n ** 256n;
    }
    rows += page.length;
    if (page.length > 0) await work(page, rows);
  } while (page.length > 0);
  return { rows, checksum: sum.toString(16).padStart(64, '0') };
};

const findDifference = (table: string, read: Digest, source: Digest, target: Digest) => {
  if (!isDeepStrictEqual(read, source)) {
    return `The source changed while it was copied (table "${table}"): stop its servers and ${startAgain}.`;
  }
  if (isDeepStrictEqual(source, target)) return undefined;
  return `The table "${table}" differs between the source and the target: ${startAgain}.`;
};

/** Lists the tables of services, which are not copied. */
export const ownTables = async ({ knex }: Pick<Database, 'knex'>): Promise<readonly string[]> => {
  const names: readonly string[] = isPostgres(knex)
    ? await knex('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename')
    : await knex('sqlite_master').where({ type: 'table' }).pluck('name');
  const known = new Set(['migration_turn', ...tables.map(({ name }) => name)]);
  return names.filter((name) => !known.has(name) && !/^(?:knex_|sqlite_)/.test(name)).sort();
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
  for (const { name } of tables) {
    if ((await target.knex(name).first(target.knex.raw('1'))) === undefined) continue;
    const problem = `it has rows in the table "${name}"`;
    throw new Refusal(`The target is not empty, ${problem}: ${startAgain}.`);
  }
  const readSource = async (
    table: ServerTable,
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
  const reads = new Map<ServerTable, Digest>();
  for (const table of tables) {
    const insert = async (page: readonly Row[]) => {
      try {
        const statement = target.prepare<Values, never>(target.knex(table.name).insert(page));
        await target.transaction((trx) => trx.run(statement, {}));
      } catch (cause) {
        const failure = cause instanceof DatabaseUnavailable ? cause.cause : cause;
        const reason = connectionErrorHint(failure);
        const message = `The table "${table.name}" cannot be copied (${reason}): stop the source's servers and ${startAgain}.`;
        throw new Error(message, { cause });
      }
    };
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
    const problem = findDifference(table.name, read, now, arrived);
    copied.push({ table: table.name, source: now, target: arrived, problem });
  }
  return copied;
};
