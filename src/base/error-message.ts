/** Returns the message of a thrown value, which need not be an Error. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Returns what `run` gives; undefined where it fails, whatever the error says. */
export const attempt = <Result>(run: () => Result): Result | undefined => {
  try {
    return run();
  } catch {
    return undefined;
  }
};
