/** How V8 is set. To be imported before all else: loading the program is a good part of its start. */

import { setFlagsFromString } from 'node:v8';

// V8 would let the heap grow to four times what is alive before it looks for garbage: some 60 MB of what a long list left.
setFlagsFromString('--heap-growing-percent=25');
// V8 would allocate among the old what has often survived a collection of the young. Under many connections all that a request
// makes does so once in a while; dead and among the old it keeps younger garbage alive, which costs half of the time then.
setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * As the program starts: what is compiled to fast code until it serves has mostly run for the last time by then, and on one core a
 * quarter of the start went into that.
 */
export const starting = (): void => setFlagsFromString('--no-opt');

starting();

/** To be called when the program serves: what runs often from now on is compiled to fast code. */
export const optimize = (): void => setFlagsFromString('--opt');
