/** Without the read cache: every read asks SQLite. */

import { moduleOf } from './product';

moduleOf<typeof import('../../../src/storage/sqlite/read-cache')>(
  'storage/sqlite/read-cache',
).readCache = () => ({
  get() {
    return undefined;
  },
  set: () => {},
  invalidate: () => {},
});
