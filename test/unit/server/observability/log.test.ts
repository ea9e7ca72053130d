/** Lines on their way to an output that reads them later. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { openOutput } from '../../../../src/server/observability/log';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const fileIn = useTemporaryFolder();

const many = (line: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${at} ${line}\n`);

/** Writes the lines in one turn of the event loop. */
const write = async (name: string, lines: readonly string[]) => {
  const path = fileIn(name);
  const { output, write: writeLine } = openOutput(path);
  let writes = 0;
  output.on('write', (bytes) => {
    if (bytes > 0) writes += 1;
  });
  await once(output, 'ready');
  for (const line of lines) writeLine(line);
  output.end();
  await once(output, 'close');
  return { writes, text: readFileSync(path, 'utf8') };
};

test.each<[string, string[]]>([
  ['characters of several bytes', many('é€😀'.repeat(20), 500)],
  ['a line that is longer than one write', ['before\n', '€'.repeat(400_000), 'behind\n']],
])('leave in their order and whole: %s', async (name, lines) => {
  expect((await write(name, lines)).text).toBe(lines.join(''));
});

test('what comes in one turn of the event loop takes few writes, so that no more comes than is written', async () => {
  const lines = many('x'.repeat(100), 30_000);
  const { writes, text } = await write('many', lines);
  expect(text).toBe(lines.join(''));
  expect(writes).toBeLessThan(10);
});
