/** The program in one file, and its code kept by a first start. */

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { programFile } from '../../../../scripts/build/bundle';
import { keepCodeOf } from '../../../../scripts/build/kept-code';
import { keptCodePath, programEnd, programHead } from '../../../../src/compiled-program';
import { useProgram } from '../../../support/program';

const program = useProgram();

/** Whether a start takes the code that is kept. */
const isTaken = async (build: string, file: string): Promise<boolean> => {
  const script = `
    require('./src/runtime-settings');
    console.log(require('./src/compiled-program').compiledProgram(${JSON.stringify(file)}).isKept);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script], {
    cwd: build,
  });
  return stdout === 'true\n';
};

test('the program is one file of ASCII', async () => {
  const text = await readFile(programFile(program().directory));
  expect(text.every((octet) => octet < 0x80)).toBe(true);
});

test('what a first start keeps is taken by the next, which serves as the first did', async () => {
  const { directory, start } = program();
  const file = programFile(directory);
  expect(await isTaken(directory, file)).toBe(false);
  await keepCodeOf(file);
  expect(await isTaken(directory, file)).toBe(true);
  const running = await start({ DATABASE_URL: `sqlite:${join(directory, 'kept.sqlite')}` });
  const pet = await fetch(`${running.origin}/petstore/pet/1`, {
    headers: { api_key: 'special-key' },
  });
  expect(await pet.json()).toMatchObject({ id: 1, name: 'Bello' });
  expect(await running.end('SIGTERM')).toBe(0);
});

test('a program that does not start says why, and keeps nothing', async () => {
  const file = join(program().directory, 'program', 'broken.js');
  const text = `console.error('Not today.'); process.exitCode = 1;`;
  await writeFile(file, `${programHead}${text}${programEnd}`);
  await expect(keepCodeOf(file)).rejects.toThrow('Not today.');
  await expect(readFile(keptCodePath(file))).rejects.toThrow('ENOENT');
});
