/** The tarball of the package: what is in it, and programs that use it. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useInstalledPackage } from '../support/installed-package';

const path = useInstalledPackage();

const run = async (file: string, text: string): Promise<string> => {
  await writeFile(path(file), text);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: path() });
  return stdout;
};

test.each([
  ['index.cjs', `const { openApiRouter } = require('spec-first');`],
  ['index.mjs', `import { openApiRouter } from 'spec-first';`],
])('%s imports it', async (file, line) => {
  expect(await run(file, `${line} console.log(typeof openApiRouter)`)).toBe('function\n');
});
