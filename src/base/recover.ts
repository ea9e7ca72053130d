/** Recovers from errors: those of one class or one code, where all others are thrown on, or any. */

type ErrorClass<Thrown> = abstract new (...given: never[]) => Thrown;

/** Makes the function that takes an error of the class, for `catch` of promises. */
export const recoverFrom =
  <Thrown, Result>(kind: ErrorClass<Thrown>, take: (error: Thrown) => Result) =>
  (error: unknown): Result => {
    if (error instanceof kind) return take(error);
    throw error;
  };

/** Makes the function that takes an error of the system with that code (`ENOENT`), for `catch` of promises. */
export const recoverFromCode =
  <Result>(code: string, result: Result) =>
  (error: unknown): Result => {
    if (Reflect.get(Object(error), 'code') === code) return result;
    throw error;
  };

/** Gives what the work gives, or what is made of an error of the class. */
export const recover = <Result, Thrown, Other>(
  work: () => Result,
  kind: ErrorClass<Thrown>,
  take: (error: Thrown) => Other,
): Result | Other => {
  try {
    return work();
  } catch (error) {
    return recoverFrom(kind, take)(error);
  }
};

/** Returns what `run` gives; undefined where it fails, whatever the error says. */
export const attempt = <Result>(run: () => Result): Result | undefined => {
  try {
    return run();
  } catch {
    return undefined;
  }
};
