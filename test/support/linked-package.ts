/** The package as programs import it, run from its sources. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';

const exports = {
  '.': './src/engine/index.ts',
  './fetch': './src/engine/fetch.ts',
  './fastify': './src/engine/fastify.ts',
  './test': './src/contract/test-contract.ts',
};

/**
 * Makes a folder for each test file in which programs import the package; the result names files in it, or itself where there is no name.
 *
 * @param others - packages of this repository that programs there import as well
 */
export const useInstalledPackage = (
  ...others: readonly string[]
): ((...names: string[]) => string) => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'installed-'));
    const packages = join(folder, 'node_modules');
    await mkdir(join(packages, 'spec-first'), { recursive: true });
    await writeFile(join(packages, 'spec-first/package.json'), JSON.stringify({ exports }));
    await symlink(join(rootFolder, 'src'), join(packages, 'spec-first/src'));
    for (const name of others) {
      await mkdir(dirname(join(packages, name)), { recursive: true });
      await symlink(join(rootFolder, 'node_modules', name), join(packages, name));
    }
  });
  afterAll(() => rm(folder, { recursive: true }));
  return (...names) => join(folder, ...names);
};
