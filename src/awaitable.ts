/**
 * Values that may still be on their way. Most of what a request needs is at hand; to wait for it all the same would take longer
 * than to work it out: a promise and a turn of the queue for each step.
 */

/** A value, or the promise of one. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Whether a value is on its way. Not every promise is an instance of this realm's class, and libraries have their own. */
export const isOnItsWay = <Value>(value: Awaitable<Value>): value is Promise<Value> =>
  typeof value === 'object' &&
  value !== null &&
  'then' in value &&
  typeof value.then === 'function';

/** Goes on with a value: at once where it is there. What `next` throws is thrown, or rejects, accordingly. */
export const whenReady = <Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> => (isOnItsWay(value) ? value.then(next) : next(value));

/** What `work` gives, or what `recover` makes of what it throws or rejects with. */
export const orElse = <Value>(
  work: () => Awaitable<Value>,
  recover: (error: unknown) => Awaitable<Value>,
): Awaitable<Value> => {
  try {
    const value = work();
    return isOnItsWay(value) ? value.catch(recover) : value;
  } catch (error) {
    return recover(error);
  }
};
