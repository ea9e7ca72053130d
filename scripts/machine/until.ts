/** Waits for what happens in other processes. */

import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

/** Options of waiting. */
interface Waiting {
  /** It is waited for no longer once it has ended. */
  readonly child?: ChildProcess;
  readonly pauseMilliseconds?: number;
  readonly timeoutMilliseconds?: number;
}

/**
 * Looks again and again until there is something to see; what cannot be asked yet is not there.
 *
 * @param look gives undefined or false where there is nothing yet
 * @throws Error where that takes more than the given time, or a minute
 */
export const until = async <Found>(
  what: string,
  look: () => Found | undefined | false | Promise<Found | undefined | false>,
  { child, pauseMilliseconds = 20, timeoutMilliseconds = 60_000 }: Waiting = {},
): Promise<Found> => {
  const deadline = performance.now() + timeoutMilliseconds;
  for (;;) {
    let cause: unknown;
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      cause = error;
    }
    if (child !== undefined && child.exitCode !== null) {
      throw new Error(`The program ended before ${what}`, { cause });
    }
    if (performance.now() > deadline) {
      throw new Error(`It takes more than ${timeoutMilliseconds / 1000} s until ${what}`, {
        cause,
      });
    }
    await setTimeout(pauseMilliseconds);
  }
};
