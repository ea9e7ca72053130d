/**
 * Values that may still be on their way. Most of what a request needs is at hand; to wait for it all the same would take longer
 * than to work it out: a promise and a turn of the queue for each step.
 */

/** A value, or the promise of one. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Goes on with a value: at once where it is there. What `next` throws is thrown, or rejects, accordingly. */
export const whenReady = <Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> => (value instanceof Promise ? value.then(next) : next(value));
