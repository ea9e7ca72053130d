/** Changed inputs stay within their bounds, differ, and are the same for the same seed; files keep every byte. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { corpusLine, readCorpus } from '../../../../scripts/fuzz/corpus';
import { inflate, mutate } from '../../../../scripts/fuzz/mutate';
import { mostLength, usualLength } from '../../../../scripts/fuzz/target';
import { randomOf } from '../../../../scripts/machine/random';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const folder = useTemporaryFolder();
const material = { other: Buffer.from('other'), tokens: ['<a>'] };

/** Each made of the one before. */
const chain = (seed: number): Uint8Array[] => {
  const random = randomOf(seed);
  const inputs: Uint8Array[] = [Buffer.of()];
  for (let left = 2000; left > 0; left -= 1) {
    inputs.push(mutate(inputs.at(-1) ?? Buffer.of(), random, material));
  }
  return inputs;
};

test('changes are bounded, various and repeatable', () => {
  const inputs = chain(1);
  expect(Math.max(...inputs.map(({ length }) => length))).toBeLessThanOrEqual(usualLength);
  expect(
    new Set(inputs.map((input) => Buffer.from(input).toString('latin1'))).size,
  ).toBeGreaterThan(1000);
  expect(inputs.some((input) => Buffer.from(input).includes('<a>'))).toBe(true);
  expect(chain(1)).toEqual(inputs);
});

test.each([[mostLength], [20_000]])('a piece is repeated up to %d bytes', (longest) => {
  const random = randomOf(2);
  const inflated = Array.from(
    { length: 100 },
    () => inflate(Buffer.from('abc'), random, longest).length,
  );
  expect(Math.max(...inflated)).toBeLessThanOrEqual(longest);
  expect(Math.max(...inflated)).toBeGreaterThan(longest - 4);
});

test('a file gives back every byte', () => {
  const file = join(folder(), 'corpus.txt');
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const inputs = [all, Buffer.from('"\n'), Buffer.of()];
  writeFileSync(file, inputs.map((input) => `${corpusLine(input)}\n`).join(''));
  expect(readCorpus(file).map((input) => Buffer.from(input).toString('hex'))).toEqual([
    all.toString('hex'),
    '220a',
    '',
  ]);
  expect(readCorpus(join(folder(), 'missing.txt'))).toEqual([]);
});
