/** What V8 does before and after the program serves. */

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(__dirname, '../..');

const outputOf = (program: string, ...flags: readonly string[]): string =>
  execFileSync(
    process.execPath,
    ['--allow-natives-syntax', ...flags, '--require', 'tsx/cjs', '--eval', program],
    { cwd: root, encoding: 'utf8' },
  );

/** Prints whether a function that runs often comes to be optimized code (bit 4 of V8's answer), within a bound. */
const untilFast = `
  const { optimize } = require('./src/runtime-settings');
  optimize();
  const work = (count) => {
    let sum = 0;
    for (let at = 0; at < count; at += 1) sum = (sum * 31 + at) | 0;
    return sum;
  };
  let isFast = false;
  for (let round = 0; round < 1e5 && !isFast; round += 1) {
    work(1000);
    isFast = (%GetOptimizationStatus(work) & 16) !== 0;
  }
  console.log(isFast);
`;

/** Prints how many objects were allocated among the old, of many that survive some collections of the young. */
const countOld = `
  require('./src/runtime-settings').optimize();
  const make = (at) => ({ at, more: [at] });
  const kept = new Array(20_000);
  let old = 0;
  for (let at = 0; at < 1e6; at += 1) {
    const made = make(at);
    kept[at % kept.length] = made;
    if (!%InYoungGeneration(made)) old += 1;
  }
  console.log(old);
`;

test('what runs often becomes fast code once the program serves', () => {
  expect(outputOf(untilFast)).toBe('true\n');
});

test('what lives for some collections of garbage is still allocated among the young', () => {
  expect(outputOf(countOld, '--max-semi-space-size=1')).toBe('0\n');
});
