/**
 * Values that may still be on their way. Most of what a request needs is at hand; to wait for it all the same would take longer
 * than to work it out: a promise and a turn of the queue for each step.
 */

/** A value, or the promise of one. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Whether a value is on its way. Not every promise is an instance of this realm's class, and libraries have their own. */
export const isPromise = <Value>(value: MaybePromise<Value>): value is Promise<Value> =>
  typeof value === 'object' &&
  value !== null &&
  'then' in value &&
  typeof value.then === 'function';

/** Goes on with a value: at once where it is there. What `next` throws is thrown, or rejects, accordingly. */
export const andThen = <Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (isPromise(value) ? value.then(next) : next(value));

/** What `work` gives, or what `recover` makes of what it throws or rejects with. */
export const orCatch = <Value>(
  work: () => MaybePromise<Value>,
  recover: (error: unknown) => MaybePromise<Value>,
): MaybePromise<Value> => {
  try {
    const value = work();
    return isPromise(value) ? value.catch(recover) : value;
  } catch (error) {
    return recover(error);
  }
};
