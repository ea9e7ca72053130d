/** Without knowing which tables our own changes have touched: after every commit all is read anew. */

import { countRun, moduleOf } from './product';

const changes = moduleOf<typeof import('../../../src/storage/sqlite/sqlite-changes')>(
  'storage/sqlite/sqlite-changes',
);
const { sqliteChanges } = changes;

changes.sqliteChanges = (raw) => {
  const known = sqliteChanges(raw);
  return {
    ...known,
    take() {
      countRun();
      const changed = known.take();
      return changed?.size === 0 ? changed : undefined;
    },
  };
};
