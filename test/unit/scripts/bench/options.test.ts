/** The benchmark's command line, as far as it decides what is measured. */

import { expect, test } from '@jest/globals';
import { readOptions } from '../../../../scripts/bench/options';

test.each<[string, object]>([
  ['', { ablation: undefined, leak: undefined, before: undefined, quick: false }],
  ['--ablation', { ablation: [] }],
  ['--ablation --rounds 2 --seconds 0.5', { ablation: [], rounds: 2, seconds: 0.5 }],
  ['--ablation read-cache,wal-sync', { ablation: ['read-cache', 'wal-sync'] }],
  ['--leak', { leak: 2_000_000, ablation: undefined }],
  ['--leak 1000 --pets 3000', { leak: 1000, pets: 3000 }],
  ['--scenarios read,add --concurrency 1,8', { scenarios: ['read', 'add'], concurrency: [1, 8] }],
  ['--before /elsewhere', { before: '/elsewhere' }],
])('%j', (line, expected) => {
  expect(readOptions(line.split(' ').filter(Boolean))).toMatchObject(expected);
});
