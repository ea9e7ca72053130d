/** Without serving together what arrives together: each request is served as it is read. */

import { moduleOf } from './product';

moduleOf<typeof import('../../../src/server/http/request-queue')>(
  'server/http/request-queue',
).requestQueue = () => (serve) => (request, response) => {
  serve(request, response);
};
