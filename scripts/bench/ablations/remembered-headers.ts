/** Without remembered headers: each request's Accept and Content-Type are taken apart. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/engine/lang/memoize-bounded')>(
  'engine/lang/memoize-bounded',
).memoizeBounded = (workOut) => (text) => {
  countRun();
  return workOut(text);
};
