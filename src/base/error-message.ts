/** What was thrown, in words: not everything that is thrown is an Error. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
