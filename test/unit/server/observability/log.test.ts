/** Lines on their way to an output that reads them later. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { bufferLines, lineTime, openOutput } from '../../../../src/server/observability/log';

const written = (lines: readonly string[]): { parts: number; text: string } => {
  const parts: Uint8Array[] = [];
  const gathered = bufferLines((bytes) => parts.push(bytes));
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
  ['characters of several bytes', many('é€😀'.repeat(20), 500), 3],
  [
    'a line that is longer than all that is gathered',
    ['before\n', '€'.repeat(40_000), 'behind\n'],
    2,
  ],
])('leave in their order and whole: %s', (_, lines, parts) => {
  expect(written(lines)).toEqual({ parts, text: lines.join('') });
});

test('each line has the time that it is written at', () => {
  let now = 1_700_000_000_000;
  const time = lineTime(() => now);
  expect([time(), time()]).toEqual([',"time":1700000000000', ',"time":1700000000000']);
  now += 1;
  expect(time()).toBe(',"time":1700000000001');
  now -= 2;
  expect(time()).toBe(',"time":1699999999999');
});

test('what comes in one turn of the event loop takes few writes, so that no more comes than is written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const path = join(folder, 'lines');
  const output = openOutput(path);
  let writes = 0;
  output.on('write', () => {
    writes += 1;
  });
  await once(output, 'ready');
  const text = many('x'.repeat(100), 30_000).join('');
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 32_768) {
    output.write(bytes.subarray(at, at + 32_768) as unknown as string);
  }
  await once(output, 'drain');
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(writes).toBeLessThan(10);
  output.destroy();
  rmSync(folder, { recursive: true });
});
