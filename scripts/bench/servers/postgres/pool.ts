/** How the peers reach PostgreSQL: a pool of ten connections, which keep their statements prepared. */

import { Pool, types } from 'pg';

// The ids of the peers are numbers, as JSON has them.
types.setTypeParser(types.builtins.INT8, Number);

/** Prepares statements; each gets its rows. */
export type Prepare = <Row>(
  name: string,
  text: string,
) => (...values: readonly unknown[]) => Promise<readonly Row[]>;

/** Opens a pool on the database. */
export const openPool = (connectionString: string): Prepare => {
  const pool = new Pool({ connectionString, max: 10 });
  // A connection that is lost while nobody uses it is replaced by the pool.
  pool.on('error', (error) => console.error(error.message));
  return (name, text) =>
    async (...values) =>
      (await pool.query({ name, text, values: [...values] })).rows;
};
