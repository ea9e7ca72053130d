/** Without one write for an answer: node:http ends it in its own way. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/engine/http/end-with')>('http/end-with').endWith = (
  response,
  body,
  encoding,
) => {
  countRun();
  response.end(body, encoding);
};
