/** Without reading ordinary bodies plainly: body-parser reads all. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/engine/request-body/plain-bytes')>(
  'engine/request-body/plain-bytes',
).isPlain = () => {
  countRun();
  return false;
};
