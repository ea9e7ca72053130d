/** Shows on a terminal how far a test run is. */

import type { Progress } from '../../src/contract';
import { printable } from '../../src/engine';

/** One line, written over again and again. */
export const progressBar = (err: (text: string) => void, isTerminal: boolean) => {
  let last = '';
  return {
    show({ document, operation, done, total, requests, failures }: Progress): void {
      const filled = Math.round((20 * done) / Math.max(1, total));
      const bar = '#'.repeat(filled).padEnd(20, '.');
      const line = `[${bar}] ${printable(`${document} ${operation}`)}`;
      // A line for each step, with the requests of the last one, is as much as a reader follows.
      if (!isTerminal || (line === last && requests % 50 !== 0)) return;
      last = line;
      err(`\r\u001b[K${line}, ${requests} requests, ${failures} failures`);
    },
    clear: () => isTerminal && err('\r\u001b[K'),
  };
};
