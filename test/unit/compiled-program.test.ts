/** A program in one file, with the code that was kept of it. Each start is a process, for V8 remembers what one has compiled. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keptCodePath, programEnd, programHead } from '../../src/compiled-program';

const root = resolve(__dirname, '../..');

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compiled-program-'));
  file = join(folder, 'main.js');
});
afterEach(() => rm(folder, { recursive: true }));

/** Puts the program into its file. */
const write = (text: string): Promise<void> =>
  writeFile(file, `${programHead}${text}\n${programEnd}`);

/** A program that prints a word, where it thinks it is, and whether it is a module. */
const saying = (word: string): string => `
  const say = () => console.log(
    JSON.stringify(['${word}', require('node:path').basename(__filename), exports === module.exports]),
  );
  say();
`;
const said = (word: string) => [word, 'main.js', true];

/** Starts the program, and keeps its code if that is asked for; resolves to what was printed, and whether kept code was taken. */
const start = async (then = ''): Promise<unknown[]> => {
  const script = `
    const { compiledProgram } = require('./src/compiled-program');
    const program = compiledProgram(process.argv[1]);
    program.run();
    console.log(program.isKept);
    ${then}
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--require', 'tsx/cjs', '--eval', script, file],
    { cwd: root },
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

const keep = () => start('program.keep();');

test('runs as a module does, by the code that was kept of it if there is any', async () => {
  await write(saying('first'));
  expect(await keep()).toEqual([said('first'), false]);
  expect(await start()).toEqual([said('first'), true]);
});

describe('code is not taken, and the program runs,', () => {
  test.each<[string, string, () => Promise<void>]>([
    ['that is of another text of that length', 'other', () => write(saying('other'))],
    ['that was cut off', 'first', () => truncate(keptCodePath(file), 400)],
    ['that is shorter than its digest', 'first', () => truncate(keptCodePath(file), 10)],
    ['that is something else', 'first', () => writeFile(keptCodePath(file), 'something else')],
  ])('%s', async (_, word, spoil) => {
    await write(saying('first'));
    await keep();
    await spoil();
    expect(await start()).toEqual([said(word), false]);
  });
});

test('reads UTF-8', async () => {
  await write(saying('größer … 😀'));
  expect(await start()).toEqual([said('größer … 😀'), false]);
});

test.each<[string, string, RegExp]>([
  ['is wrong', 'const = 1;', /main\.js:1\n.*SyntaxError/s],
  ['throws', 'const fail = () => { throw new Error("Not today."); };\nfail();', /main\.js:2/],
])('says where a program %s', async (_, text, message) => {
  await write(text);
  await expect(start()).rejects.toThrow(message);
});

test('says that there is no program', async () => {
  await expect(start()).rejects.toThrow(/ENOENT.*main\.js/);
});
