/** A search finds what is planted: a crash, an endless loop, too much memory, and what only later steps reach. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { Report, Task } from '../../../../scripts/fuzz/messages';
import { runThread } from '../../../../scripts/fuzz/thread';
import { rootFolder } from '../../../../scripts/root-folder';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const folder = useTemporaryFolder();

/** Each target does something else where the input begins with an X. */
const targets = `
const target = (run) => () => ({ covers: ['x'], seeds: [Buffer.from('a')], tokens: ['X'], isTimed: true, run });
const planted = (act) => target((input) => { if (input[0] === 88) act(); });
const fill = () => { const lists = []; for (;;) lists.push(new Array(1e6).fill(0.5)); };
// As the counters of an instrumented file.
const counts = { path: '/x/file.js', b: { 0: [0, 0, 0] }, f: {} };
globalThis.__coverage__ = { file: counts };
exports.targets = {
  sound: target(() => undefined),
  crashing: planted(() => { throw new TypeError('Planted'); }),
  hanging: planted(() => { for (;;) ; }),
  filling: planted(fill),
  slow: planted(() => { const end = Date.now() + 300; while (Date.now() < end) ; }),
  // A byte must be right before the next one counts.
  deep: target((input) => {
    const right = ['X', 'XY', 'XYZ'].filter((text) => Buffer.from(input).toString().startsWith(text));
    right.forEach((_, at) => { counts.b[0][at] += 1; });
    if (right.length === 3) throw new TypeError('Deep');
  }),
};`;

const write = (name: string, text: string): void => {
  const file = join(folder(), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

beforeEach(() => {
  const tsx = JSON.stringify(join(rootFolder, 'node_modules/tsx/dist/cjs/index.cjs'));
  const worker = JSON.stringify(join(rootFolder, 'scripts/fuzz/worker.ts'));
  write('scripts/fuzz/worker.js', `require(${tsx}); require(${worker});`);
  write('test/fuzz/targets.js', targets);
});

const search: Task['work'] = { kind: 'search', seconds: 60, seed: 1 };

/** What the thread of a target says, and how it ends. */
const run = async (name: string, work: Task['work'], patience = 60) => {
  const reports: Report[] = [];
  const task = { name, corpus: [], work };
  const end = await runThread(folder(), task, (report) => reports.push(report), patience);
  return { reports, end };
};

test.each([
  ['hanging', 1, 'Hangs: no end after 1 s'],
  ['filling', 60, 'out of memory'],
])('%s', async (name, patience, what) => {
  const { end } = await run(name, search, patience);
  expect(end).toMatchObject({ kind: 'lost', what: expect.stringContaining(what) });
  expect('input' in end && end.input?.[0]).toBe(88);
});

test.each([
  ['sound', undefined],
  ['crashing', 'TypeError: Planted'],
  ['slow', 'Slow: 1 bytes take'],
])('%s', async (name, what) => {
  const { reports, end } = await run(name, { kind: 'check', input: Buffer.from('X') });
  expect(end).toMatchObject({ kind: 'done' });
  expect(reports).toEqual([
    { kind: 'checked', what: what === undefined ? undefined : expect.stringContaining(what) },
  ]);
});

test('deep', async () => {
  const { reports } = await run('deep', { kind: 'search', seconds: 3, seed: 1 });
  const found = reports.flatMap((report) => (report.kind === 'suspect' ? [report] : []));
  expect(found[0]?.what).toContain('TypeError: Deep');
  expect(reports.at(-1)).toMatchObject({ kind: 'searched', reached: 3, all: 3 });
});
