/**
 * Starts a program without V8's optimizer: most of what runs in a start runs too seldom to repay its optimization, which takes a
 * quarter of the processor time. Programs import this module before all others.
 */

import { setFlagsFromString } from 'node:v8';

/** A start takes about as long. Requests, and longer work, are served by optimized code. */
const startMilliseconds = 2000;

setFlagsFromString('--no-opt');
setTimeout(setFlagsFromString, startMilliseconds, '--opt').unref();
