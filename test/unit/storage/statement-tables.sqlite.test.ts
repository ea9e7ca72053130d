/** The tables that statements name, by which SQLite's cache of rows goes: those that SQLite says it opens. */

import { beforeAll, expect, test } from '@jest/globals';
import { type AnyStatement, allStatements } from './all-statements';
import { useTemporaryDatabase } from './temporary-database';

const temporary = useTemporaryDatabase();
let statements: readonly AnyStatement[] = [];
/** Tables by the pages of the file at which they and their indexes begin. */
const tables = new Map<number, string>();

beforeAll(async () => {
  statements = await allStatements(temporary.db);
  const schema = await temporary.db
    .knex('sqlite_schema')
    .whereNot('tbl_name', 'sqlite_sequence')
    .select('tbl_name', 'rootpage');
  for (const { tbl_name, rootpage } of schema) tables.set(rootpage, tbl_name);
});

/** The tables that the program of a statement opens, those of cascades included (sqlite.org/opcode.html). */
const openedBy = async (sql: string, opcode: string): Promise<string[]> => {
  const bindings = Array.from(sql.matchAll(/\?/g), () => null);
  const steps: { opcode: string; p2: number }[] = await temporary.db.knex.raw(
    `explain ${sql}`,
    bindings,
  );
  // Those of SQLite's own are none of these.
  const opened = steps
    .filter((step) => step.opcode === opcode)
    .flatMap(({ p2 }) => tables.get(p2) ?? []);
  return [...new Set(opened)].sort();
};

test('are all that a statement changes, or reads where it changes none', async () => {
  const wrong: Record<string, unknown> = {};
  const named = statements.filter((one) => one.tables !== undefined);
  for (const { sql, tables: said = [] } of named) {
    const written = await openedBy(sql, 'OpenWrite');
    const opened = written.length > 0 ? written : await openedBy(sql, 'OpenRead');
    if (opened.some((table) => !said.includes(table))) wrong[sql] = { said, opened };
  }
  expect(wrong).toEqual({});
  expect(named.length).toBeGreaterThan(30);
});

test('name their columns: PostgreSQL refuses a prepared `select *` once a newer version has added one', () => {
  const all = statements.filter(({ sql }) => /(?:select|returning|\.)\s*\*/i.test(sql));
  expect(all.map(({ sql }) => sql)).toEqual([]);
});
