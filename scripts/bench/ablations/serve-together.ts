/** Without serving together what arrives together: each request is served as it is read. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/server/http/request-queue')>(
  'server/http/request-queue',
).requestQueue = () => (serve) => (request, response) => {
  countRun();
  serve(request, response);
};
