/** Without the read cache: every read asks SQLite. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/server/storage/sqlite/read-cache')>(
  'storage/read-cache',
).readCache = () => ({
  find() {
    countRun();
    return undefined;
  },
  keep: () => {},
  forget: () => {},
});
