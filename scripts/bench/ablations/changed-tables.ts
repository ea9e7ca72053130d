/** Without knowing which tables our own changes have touched: after every commit all is read anew. */

import { countRun, moduleOf } from './product';

const cache = moduleOf<typeof import('../../../src/storage/sqlite/read-cache')>(
  'storage/sqlite/read-cache',
);
const { readCache } = cache;

cache.readCache = () => {
  const known = readCache();
  return {
    ...known,
    invalidate(changed) {
      countRun();
      known.invalidate(changed?.size === 0 ? changed : undefined);
    },
  };
};
