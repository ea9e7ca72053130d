/** Waits for other processes. */

import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

const timeoutMilliseconds = 60_000;

/**
 * Waits until it is so; what cannot be asked yet is not so.
 *
 * @param child is waited for no longer once it has ended
 * @throws Error where that takes more than a minute
 */
export const until = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  child?: ChildProcess,
  pauseMilliseconds = 20,
): Promise<void> => {
  const deadline = performance.now() + timeoutMilliseconds;
  let cause: unknown;
  const look = async (): Promise<boolean> => {
    try {
      return await isSo();
    } catch (error) {
      cause = error;
      return false;
    }
  };
  while (!(await look())) {
    if (child !== undefined && child.exitCode !== null) {
      throw new Error(`The program ended before ${what}`, { cause });
    }
    if (performance.now() > deadline) {
      throw new Error(`It takes more than a minute until ${what}`, { cause });
    }
    await setTimeout(pauseMilliseconds);
  }
};
