/** Without serving together what arrives together: each request is served as it is read. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/server/http/serve-together')>(
  'http/serve-together',
).serveTogether = (serve) => (request, response) => {
  countRun();
  serve(request, response);
};
