/** Without remembered choices: each request's Accept header is taken apart. */

import { countRun, moduleOf, packageOf } from './product';

const Negotiator = packageOf<typeof import('negotiator')>('negotiator');

moduleOf<typeof import('../../../src/http/media-type')>('http/media-type').negotiator =
  (offered) => (accept) => {
    countRun();
    return accept === undefined || accept.trim() === ''
      ? offered[0]
      : new Negotiator({ headers: { accept } }).mediaType([...offered]);
  };
