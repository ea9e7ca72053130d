/** Puts a database back to an earlier state, also while a server uses it. */

import type { Database } from '../../src/storage/database/database';
import { runTogether, tablesOf } from './tables';

const copyOf = (table: string): string => `snapshot_of_${table}`;

/** Copies every table as it is; the result puts every row back. */
export const takeSnapshot = async (db: Database): Promise<() => Promise<void>> => {
  const tables = await tablesOf(db);
  await runTogether(
    db,
    tables.map((table) => `create table "${copyOf(table)}" as select * from "${table}"`),
  );
  const restore = [
    ...tables.map((table) => `delete from "${table}"`),
    ...tables.map((table) => `insert into "${table}" select * from "${copyOf(table)}"`),
  ];
  return () => runTogether(db, restore);
};
