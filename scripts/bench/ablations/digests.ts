/** Without remembered digests: each request's credential is hashed. */

import { hash } from 'node:crypto';
import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/server/identity/token')>('server/identity/token').digest = (
  text,
) => {
  countRun();
  return hash('sha256', text, 'hex');
};
