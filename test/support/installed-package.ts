/** The package as a program of a user has it: packed once per run, and installed without the network. */

import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { run } from '../../scripts/machine/run-program';
import { packageName, programModule } from '../../scripts/pack/entries';
import { pack } from '../../scripts/pack/pack';
import { rootFolder } from '../../scripts/root-folder';
import { oncePerRun } from './run/once-per-run';

/** The file of the package's own program. */
const program = join('dist', `${programModule}.js`);

/** Links packages of this repository, where they are installed, into a folder for packages. */
const linkPackages = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const source = join(rootFolder, 'node_modules', name);
    const target = join(folder, name);
    if (!existsSync(source)) continue;
    await mkdir(dirname(target), { recursive: true });
    await symlink(source, target);
  }
};

/** Unpacks the package beside the packages that it lists, and no others. */
const install = async (folder: string): Promise<void> => {
  const tarball = await pack(folder);
  const packages = join(folder, 'node_modules');
  const unpacked = join(packages, packageName);
  await mkdir(unpacked, { recursive: true });
  await run(['tar', '-xzf', tarball, '--strip-components', '1'], unpacked);
  const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
  const { dependencies, peerDependencies } = manifest;
  await linkPackages(packages, Object.keys({ ...dependencies, ...peerDependencies }));
  await chmod(join(unpacked, program), 0o755);
};

/** Returns the folder of the run with the tarball, and with `node_modules` that hold the package and what it depends on. */
export const installedPackage = (): Promise<string> => oncePerRun('package', install);

/**
 * Makes a folder for each test file in which programs import the package, and run its own program as `node_modules/.bin/spec-first`; the
 * result names files in it, or itself where there is no name.
 *
 * @param others - packages of this repository that programs there import as well
 */
export const useInstalledPackage = (
  ...others: readonly string[]
): ((...names: string[]) => string) => {
  let folder = '';
  beforeAll(async () => {
    const installed = join(await installedPackage(), 'node_modules', packageName);
    folder = await mkdtemp(join(tmpdir(), 'installed-'));
    const packages = join(folder, 'node_modules');
    const programs = join(packages, '.bin');
    await mkdir(programs, { recursive: true });
    await symlink(installed, join(packages, packageName));
    await symlink(join(installed, program), join(programs, packageName));
    await linkPackages(packages, others);
  });
  afterAll(() => rm(folder, { recursive: true }));
  return (...names) => join(folder, ...names);
};
