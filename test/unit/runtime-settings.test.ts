/** What V8 does before and after the program serves. */

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(__dirname, '../..');

/** Prints whether a function that runs often comes to be optimized code (bit 4 of V8's answer), within a bound. */
const program = `
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

test('what runs often becomes fast code once the program serves', () => {
  const args = ['--allow-natives-syntax', '--require', 'tsx/cjs', '--eval', program];
  expect(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })).toBe('true\n');
});
