/** Starts a program without V8's optimizer, which takes a quarter of a start and gains nothing in it. To be imported before all else. */

import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-opt');
// A start takes about as long; what runs longer, as requests do, is optimized.
setTimeout(setFlagsFromString, 2000, '--opt').unref();
