/** Does long work between requests. */

import { setImmediate, setTimeout } from 'node:timers/promises';

/** The least time without a pause; one step may take longer. */
const TURN_MILLISECONDS = 5;

/**
 * Does the work step by step.
 * @param pause runs between two turns; receives the duration of the last one
 */
const stepOn = async (
  steps: Iterator<unknown>,
  signal: AbortSignal | undefined,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<void> => {
  await pause(0);
  let start = performance.now();
  while (signal?.aborted !== true && steps.next().done !== true) {
    const taken = performance.now() - start;
    if (taken < TURN_MILLISECONDS) continue;
    await pause(taken);
    start = performance.now();
  }
};

/**
 * Does the work step by step and leaves others as much time as each turn takes. Does not keep the process alive.
 * @param steps each `next` is one step
 * @param signal says when to stop before the end
 */
export const runInSteps = (
  steps: Iterator<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> => stepOn(steps, signal, (taken) => setTimeout(taken, undefined, { ref: false }));

/** Computes a result for each item, a few at a time, while other requests are served; a request waits for it. */
export const mapInSteps = async <Item, Result>(
  items: Iterable<Item>,
  compute: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = [];
  function* steps(): Generator<void> {
    for (const item of items) {
      results.push(compute(item));
      yield;
    }
  }
  await stepOn(steps(), undefined, () => setImmediate());
  return results;
};

/** Joins the parts of a text, which are made between requests. */
export const joinInSteps = async (parts: Iterable<string>): Promise<string> =>
  (await mapInSteps(parts, (part) => part)).join('');
