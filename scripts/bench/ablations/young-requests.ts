/** Without keeping V8 from allocating among the old what has often survived a collection of the young. */

import v8 from 'node:v8';
import { countRun } from './product';

const { setFlagsFromString } = v8;

v8.setFlagsFromString = (flag) => {
  if (flag === '--no-allocation-site-pretenuring') countRun();
  else setFlagsFromString(flag);
};
