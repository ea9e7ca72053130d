/** Without prepared statements: SQLite prepares each one anew at every run. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/storage/sqlite/sqlite-knex')>(
  'storage/sqlite/sqlite-knex',
).statementsOf = (raw) => (sql) => {
  countRun();
  return raw.prepare(sql);
};
