/** Does long work between requests. */

import { setImmediate, setTimeout } from 'node:timers/promises';

/** The least time without a pause; one step may take longer. */
const TURN_MILLISECONDS = 5;

/** Work that may pause at each `yield`, and its result. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does the work without a pause. */
export const resultOf = <Result>(steps: Steps<Result>): Result => {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};

/**
 * Does the work step by step.
 * @param pause runs between two turns; receives the duration of the last one
 */
const stepOn = async <Result>(
  steps: Iterator<unknown, Result>,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<Result> => {
  await pause(0);
  let start = performance.now();
  let step = steps.next();
  while (step.done !== true) {
    const duration = performance.now() - start;
    if (duration >= TURN_MILLISECONDS) {
      await pause(duration);
      start = performance.now();
    }
    step = steps.next();
  }
  return step.value;
};

/** Makes the function that is called between the parts of long work: it gives a promise to wait for where the turn is over. */
export const turnKeeper = (): (() => Promise<void> | undefined) => {
  let start = performance.now();
  return () =>
    performance.now() - start < TURN_MILLISECONDS
      ? undefined
      : setImmediate().then(() => {
          start = performance.now();
        });
};

/** Does the work while other requests are served; a request waits for it. */
export const resultInSteps = <Result>(steps: Steps<Result>): Promise<Result> =>
  stepOn(steps, () => setImmediate());

/**
 * Does the work step by step and leaves others as much time as each turn takes. Does not keep the process alive.
 * @param steps each `next` is one step
 * @param signal says when to stop before the end
 */
export const runInSteps = (
  steps: Iterator<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> => {
  function* untilAborted(): Steps<void> {
    while (signal?.aborted !== true && steps.next().done !== true) yield;
  }
  return stepOn(untilAborted(), (duration) => setTimeout(duration, undefined, { ref: false }));
};

/** Computes a result for each item, and pauses after each. */
export function* mapSteps<Item, Result>(
  items: Iterable<Item>,
  compute: (item: Item) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(compute(item));
    yield;
  }
  return results;
}

/** Computes a result for each item, a few at a time, while other requests are served; a request waits for it. */
export const mapInSteps = <Item, Result>(
  items: Iterable<Item>,
  compute: (item: Item) => Result,
): Promise<Result[]> => resultInSteps(mapSteps(items, compute));

/** Joins the parts of a text, which are made between requests. */
export const joinInSteps = async (parts: Iterable<string>): Promise<string> =>
  (await mapInSteps(parts, (part) => part)).join('');

/** Makes the function that runs each work once all works before it have ended, also where a work failed. */
export const inTurn = (): (<Result>(work: () => Result | Promise<Result>) => Promise<Result>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
};
