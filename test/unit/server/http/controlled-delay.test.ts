/** A standing queue, and requests that have waited in it for too long. */

import { expect, test } from '@jest/globals';
import { controlledDelay } from '../../../../src/server/http/request-queue';

const bounds = { interval: 100, target: 20 };

// At which time a request was dequeued that had waited for how long; then since when one waits that is asked about.
test.each<[title: string, turns: string, at: number, since: number, late: boolean]>([
  ['none is late where none had to wait', '0:0', 500, 0, false],
  ['nor where all waited for the target', '0:20 150:20', 200, 0, false],
  ['a burst may wait for longer', '0:90 99:180', 99, 0, false],
  ['a queue stands after an interval', '0:90 100:180', 100, 79, true],
  ['what has waited for the target is in time', '0:90 100:180', 100, 80, false],
  ['one that waited for less tells that the queue moves', '0:90 50:20 100:90', 149, 0, false],
  ['the next interval begins with the next that waits for more', '0:90 50:20 100:90', 200, 0, true],
  ['an empty queue does not stand', '0:90 150:90 160:0', 300, 0, false],
])('%s', (_title, turns, at, since, late) => {
  let now = 0;
  const delay = controlledDelay(() => now, bounds);
  for (const turn of turns.split(' ')) {
    const [time = 0, waited = 0] = turn.split(':').map(Number);
    now = time;
    delay.observe(waited);
  }
  now = at;
  expect(delay.isLate(since)).toBe(late);
});
