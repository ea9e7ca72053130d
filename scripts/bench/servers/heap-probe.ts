/** Loaded in front of a program under test: tells, when asked, how much memory is in use after a collection. */

import { setTimeout as delay } from 'node:timers/promises';

/** The collector, which Node.js shows with `--expose-gc`. */
const collect = (): void => (globalThis as unknown as { gc(): void }).gc();

process.on('message', async (message) => {
  if (message !== 'heap') return;
  collect();
  // What finalizers let go of goes with the next collection.
  await delay(100);
  collect();
  process.send?.(process.memoryUsage());
});

// Listening for messages must not keep the program from ending.
process.channel?.unref();
