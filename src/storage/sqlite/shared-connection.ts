/** One connection that many share, opened when it is first used. */

import { isConnectionError } from '../connections/database-errors';

/** Shares what `open` gives, and opens another where it broke; none any more after `end`. */
export const sharedConnection = <Opened extends { close(): void }>(open: () => Opened) => {
  let current: Opened | undefined;
  let hasEnded = false;
  const close = (): void => {
    const closing = current;
    current = undefined;
    closing?.close();
  };
  const take = (): Opened => {
    if (hasEnded) throw new Error('The database was closed');
    current ??= open();
    return current;
  };
  const failed = (used: Opened, error: unknown): unknown => {
    if (isConnectionError(error) && used === current) close();
    return error;
  };
  return {
    end(): void {
      hasEnded = true;
      close();
    },
    /** For synchronous work. */
    use<Result>(work: (opened: Opened) => Result): Result {
      const used = take();
      try {
        return work(used);
      } catch (error) {
        throw failed(used, error);
      }
    },
    async useAsync<Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> {
      const used = take();
      try {
        return await work(used);
      } catch (error) {
        throw failed(used, error);
      }
    },
  };
};
