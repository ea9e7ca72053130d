/** A build appears whole or not at all, and nothing is done where nothing has changed. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { build } from '../../scripts/compile/build';
import { isFresh } from '../../scripts/compile/is-fresh';
import { until } from '../../scripts/machine/until';
import { rootFolder } from '../../scripts/root-folder';
import { readBuildRecord } from '../../src/host/build-record';
import { copyProject, removeCopy } from '../support/check-types';

let root = '';

const write = (file: string, text: string): void => writeFileSync(join(root, file), text);
const make = (isStrict = true) => build({ root, environment: {}, elsewhere: [], isStrict });
const read = (file: string): string => readFileSync(join(root, 'dist', file), 'utf8');

beforeEach(() => {
  root = copyProject(['tsconfig.build.json']);
  for (const folder of ['src', 'handlers/box', 'specs']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  write(
    'tsconfig.build.json',
    readFileSync(join(rootFolder, 'tsconfig.build.json'), 'utf8').replace(
      ', "scripts/compile/is-fresh.ts"',
      '',
    ),
  );
  write('src/main.ts', 'export const main = 1;\n');
  write('handlers/box/pet.ts', 'export const pet: number = 1;\n');
});

afterEach(() => removeCopy(root));

test('what has not changed is fresh; a source, a document or a setting makes it stale', async () => {
  expect(isFresh(root, {})).toBe(false);
  expect(await make()).toEqual([]);
  expect(isFresh(root, {})).toBe(true);
  const stale = ['src/main.ts', 'handlers/box/pet.ts', 'specs/box.yaml', 'package.json'].filter(
    (file) => {
      const before = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
      write(file, `${before}\n`);
      const isStale = !isFresh(root, {});
      write(file, before);
      return isStale;
    },
  );
  expect(stale).toEqual(['src/main.ts', 'handlers/box/pet.ts', 'specs/box.yaml', 'package.json']);
});

test('what does not compile leaves the build that is there, where it has to compile', async () => {
  await make();
  write('handlers/box/pet.ts', "export const pet: number = 'one';\n");
  const error = {
    file: 'handlers/box/pet.ts',
    line: 1,
    column: 14,
    text: "TS2322: Type 'string' is not assignable to type 'number'.",
  };
  expect(await make()).toEqual([error]);
  expect(read('handlers/box/pet.js')).toContain('pet = 1');
  expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist']);

  expect(await make(false)).toEqual([error]);
  expect(read('handlers/box/pet.js')).toContain("pet = 'one'");
  expect(readBuildRecord(join(root, 'dist'))?.errors).toEqual([error]);
});

test('only what has changed is compiled, and what has lost its source is gone', async () => {
  write('handlers/box/old.ts', 'export const old = 1;\n');
  await make();
  write('dist/src/main.js', '// As it was compiled.\n');
  rmSync(join(root, 'handlers/box/old.ts'));
  write('handlers/box/pet.ts', 'export const pet: number = 2;\n');
  await make();
  expect(readdirSync(join(root, 'dist/handlers/box'))).toEqual(['pet.js', 'pet.js.map']);
  expect(read('handlers/box/pet.js')).toContain('pet = 2');
  expect(read('src/main.js')).toBe('// As it was compiled.\n');
});

test('one that is killed half way leaves the build that is there, whole', async () => {
  await make();
  write('handlers/box/pet.ts', 'export const pet: number = 2;\n');
  const script = `require('tsx/cjs/api').require(${JSON.stringify(join(rootFolder, 'scripts/compile/build.ts'))}, __filename).build({ root: ${JSON.stringify(root)}, environment: {}, elsewhere: [], isStrict: true })`;
  const child = spawn(process.execPath, ['-e', script], { cwd: rootFolder, stdio: 'inherit' });
  const ended = once(child, 'exit');
  await until('the other build', () => existsSync(join(root, `dist.next.${child.pid}`)));
  child.kill('SIGKILL');
  await ended;
  expect(read('handlers/box/pet.js')).toContain('pet = 1');
  expect(read('src/main.js')).toContain('main = 1');

  // Or between its last two steps.
  renameSync(join(root, 'dist'), join(root, `dist.old.${child.pid}`));
  write('handlers/box/pet.ts', "export const pet: number = 'one';\n");
  expect(await make()).toHaveLength(1);
  expect(read('handlers/box/pet.js')).toContain('pet = 1');
  expect(existsSync(join(root, `dist.old.${child.pid}`))).toBe(false);
});
