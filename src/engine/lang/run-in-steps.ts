/** Does long work between requests. */

import { setImmediate, setTimeout } from 'node:timers/promises';

/** What is done without a pause, at least; one step may take longer. */
const TURN_MILLISECONDS = 5;

/**
 * Does the work step by step and leaves others as much time as each turn takes. Keeps no process from its end.
 * @param steps each `next` is one step
 * @param signal says when to stop before the end
 */
export const runInSteps = async (
  steps: Iterator<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> => {
  await setImmediate(undefined, { ref: false });
  let start = performance.now();
  while (signal?.aborted !== true && steps.next().done !== true) {
    const taken = performance.now() - start;
    if (taken < TURN_MILLISECONDS) continue;
    await setTimeout(taken, undefined, { ref: false });
    start = performance.now();
  }
};
