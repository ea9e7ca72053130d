/** Lines on their way to an output that takes them late, or not at all. */

import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { until } from '../../../../scripts/machine/until';
import { logTo, openOutput, painter, readableLine } from '../../../../src/server/observability/log';
import { describeOnSmallDisk, useSmallDisk } from '../../../support/small-disk';
import { useTemporaryFolder } from '../../../support/temporary-folder';
import { valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'log.cases.txt');

const fileIn = useTemporaryFolder();

const many = (line: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${at} ${line}\n`);

/** Waits until the file has the text. */
const arrived = (path: string, text: string) =>
  until('the text', () => (readFileSync(path, 'utf8') === text ? true : undefined));

test.each<[string, string[]]>([
  ['characters of several bytes', many('é€😀'.repeat(20), 500)],
  ['one line', ['alone\n']],
  ['a very long line', ['before\n', `${'€'.repeat(400_000)}\n`, 'behind\n']],
  ['what comes in one turn of the event loop', many('x'.repeat(100), 30_000)],
])('are written in their order and whole: %s', async (name, lines) => {
  const text = lines.join('');
  const [later, atOnce] = [fileIn(`${name}-later`), fileIn(`${name}-at-once`)];
  const output = openOutput(later);
  for (const line of lines) output.write(line);
  await arrived(later, text);
  const ending = openOutput(atOnce);
  const first = lines.slice(0, 100);
  for (const line of first) ending.write(line);
  ending.flushSync();
  // A write that is under way at the exit may come behind those that are made then.
  const sorted = (text: string): string => text.split('\n').sort().join('\n');
  await until('all lines', () =>
    sorted(readFileSync(atOnce, 'utf8')) === sorted(first.join('')) ? true : undefined,
  );
});

test('an output that fails is given up at the exit', () => {
  const output = openOutput('/dev/full');
  output.write('lost\n');
  output.flushSync();
});

test('a pipe that is full holds no process at its exit, and gets everything where it is read late', async () => {
  const path = fileIn('pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  let filled = 0;
  expect(() => {
    for (;;) filled += writeSync(pipe, Buffer.alloc(4096));
  }).toThrow(expect.objectContaining({ code: 'EAGAIN' }));
  // As another process leaves it that has the pipe, too, and ends.
  const blocking = openSync(path, constants.O_RDWR);
  const output = openOutput(blocking);
  const text = many('y'.repeat(100), 3000).join('');
  output.write('first\n');
  output.flushSync();
  output.write(text);
  let got = '';
  const bytes = Buffer.alloc(text.length);
  await until('everything', () => {
    try {
      got += bytes.toString('latin1', 0, readSync(pipe, bytes));
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' });
    }
    return got.slice(filled) === `first\n${text}` ? true : undefined;
  });
  closeSync(pipe);
  closeSync(blocking);
});

describeOnSmallDisk('a full disk', () => {
  const disk = useSmallDisk();

  test('drops no process, and gets the lines when there is room again', async () => {
    const path = join(disk().folder, 'log');
    const output = openOutput(path);
    await disk().fill();
    output.write('while it was full\n');
    output.flushSync();
    expect(readFileSync(path, 'utf8')).toBe('');
    await disk().makeRoom();
    output.write('with room\n');
    await arrived(path, 'while it was full\nwith room\n');
  });
});

test('lines are JSON with times of ISO 8601', () => {
  const lines: string[] = [];
  logTo('info', { write: (line) => void lines.push(line) }).info('here');
  const { time, msg } = JSON.parse(lines[0] ?? '');
  expect([msg, new Date(time).toISOString()]).toEqual(['here', time]);
});

const plain = painter(false);
const request = { level: 30, method: 'GET', path: '/box/1', milliseconds: 1.234, msg: 'request' };

describe('readableLine', () => {
  test.each(valuesOf<[string, object, string]>(cases, 'readable lines'))('%s', (_, line, text) => {
    expect(readableLine(JSON.stringify(line), plain)).toBe(text);
  });

  test.each([
    [200, 32],
    [302, 36],
    [404, 33],
    [500, 31],
  ])('the status %i has its colour', (status, colour) => {
    const text = readableLine(JSON.stringify({ ...request, status }), painter(true));
    expect(text).toContain(`\u001B[${colour}m${status}\u001B[0m`);
  });
});
