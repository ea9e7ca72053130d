/** A search finds what is planted: a crash, an endless loop, too much memory, and slow code. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { type Fault, runThread } from '../../../../scripts/fuzz/thread';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const folder = useTemporaryFolder();

/** Each target does something else where the input begins with an X. */
const targets = `
const target = (run) => () => ({ seeds: [Buffer.from('a')], tokens: ['X'], isTimed: true, run });
const planted = (act) => target((input) => { if (input[0] === 88) act(); });
const fill = () => { const lists = []; for (;;) lists.push(new Array(1e6).fill(0.5)); };
exports.targets = {
  sound: target(() => undefined),
  crashing: planted(() => { throw new TypeError('Planted'); }),
  hanging: planted(() => { for (;;) ; }),
  filling: planted(fill),
  slow: planted(() => { const end = Date.now() + 300; while (Date.now() < end) ; }),
};`;

beforeEach(() => writeFileSync(join(folder(), 'targets.js'), targets));

/** Searches the target, with an input in the corpus that begins with an X. */
const run = async (name: string, patience: number) => {
  const faults: Fault[] = [];
  const task = {
    targets: join(folder(), 'targets.js'),
    name,
    corpus: [Buffer.from('X')],
    seconds: 0.1,
    seed: 1,
  };
  const { isLost } = await runThread(task, (fault) => faults.push(fault), patience);
  return { isLost, fault: faults[0] };
};

test.each([
  ['crashing', 60, false, 'TypeError: Planted'],
  ['hanging', 1, true, 'Hangs: no end after 1 s'],
  ['filling', 60, true, 'out of memory'],
  ['slow', 60, false, 'Slow: 1 bytes take'],
])('%s', async (name, patience, wasLost, text) => {
  const { isLost, fault } = await run(name, patience);
  expect(isLost).toBe(wasLost);
  expect(fault?.text).toContain(text);
  expect(fault?.input?.[0]).toBe(88);
});

test('sound', async () => {
  expect(await run('sound', 60)).toEqual({ isLost: false, fault: undefined });
});
