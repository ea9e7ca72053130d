/** Without remembered headers: each request's Accept and Content-Type are taken apart. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/engine/lang/remember-few')>('http/remember-few').rememberFew =
  (workOut) => (text) => {
    countRun();
    return workOut(text);
  };
