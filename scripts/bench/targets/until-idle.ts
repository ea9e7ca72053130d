/** Waits for a server that is still busy with itself: after its start, ours compiles what requests of the document's operations need. */

import { setTimeout as delay } from 'node:timers/promises';
import { processorSeconds, processTree } from '../../machine/process-usage';
import type { Running } from './contestant';

/** Milliseconds between two looks at it. */
const pause = 500;

/** Seconds of a processor that a server with nothing to do uses in that time at most. */
const little = 0.05;

/** Resolves when the server has nothing to do. */
export const untilIdle = async ({ child }: Running): Promise<void> => {
  const spent = (): number => processorSeconds(processTree(child.pid ?? 0)) ?? 0;
  let before: number;
  let now = spent();
  do {
    await delay(pause);
    before = now;
    now = spent();
  } while (now - before > little);
};
