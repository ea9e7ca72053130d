/** Without serving together what arrives together: each request is served as it is read. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/server/http/request-batching')>(
  'server/http/request-batching',
).batchRequests = (serve) => (request, response) => {
  countRun();
  serve(request, response);
};
