/** Counts what a table keeps; the drivers give counts as numbers or as text. */

import type { Database } from '../../src/storage/database/database';

export const countRows = async ({ knex }: Database, table: string): Promise<number> => {
  const [row] = await knex(table).count({ count: '*' });
  return Number(row?.['count']);
};
