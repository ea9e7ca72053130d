/** Lines on their way to an output that reads them later. */

import { expect, test } from '@jest/globals';
import { gatherLines } from '../../src/log';

const written = (lines: readonly string[]): { parts: number; text: string } => {
  const parts: Uint8Array[] = [];
  const gathered = gatherLines((octets) => parts.push(octets));
  for (const line of lines) gathered.write(line);
  gathered.flush();
  gathered.flush();
  return { parts: parts.length, text: Buffer.concat(parts).toString() };
};

const many = (line: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${at} ${line}\n`);

test.each<[string, string[], number]>([
  ['nothing', [], 0],
  ['one line', ['{}\n'], 1],
  ['a few lines together', many('a line', 10), 1],
  ['many lines in few parts', many('x'.repeat(100), 1000), 4],
  ['characters of several octets', many('é€😀'.repeat(20), 500), 3],
  [
    'a line that is longer than all that is gathered',
    ['before\n', '€'.repeat(40_000), 'behind\n'],
    3,
  ],
])('leave in their order and whole: %s', (_, lines, parts) => {
  expect(written(lines)).toEqual({ parts, text: lines.join('') });
});
