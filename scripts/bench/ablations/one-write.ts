/** Without one write for an answer: node:http ends it in its own way. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/engine/http/end-in-one-write')>(
  'engine/http/end-in-one-write',
).endInOneWrite = (response, body, encoding) => {
  countRun();
  response.end(body, encoding);
};
