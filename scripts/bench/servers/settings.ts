/** What the benchmark tells each peer by its environment. */

const needed = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

export const port = Number(needed('PORT'));
/** The SQLite file. */
export const databasePath = process.env['DATABASE_PATH'] ?? '';
/** The PostgreSQL database; undefined: the SQLite file. */
export const databaseUrl = process.env['DATABASE_URL'];
/** The folder of the OpenAPI documents. */
export const specs = process.env['SPECS'] ?? 'specs';
