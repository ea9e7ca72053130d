/** Without the read cache: every read asks SQLite. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/storage/sqlite/read-cache')>(
  'storage/sqlite/read-cache',
).readCache = () => ({
  get() {
    countRun();
    return undefined;
  },
  set: () => {},
  invalidate: () => {},
});
