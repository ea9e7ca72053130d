/** The released version before this one, taken from the history of this repository and built. */

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../compile/build';
import { say } from '../machine/run-main';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';

/** The last released version, which may run beside this one: a release sets both. */
export const released = {
  version: '0.3.0',
  commit: '8250f4683f939f24a071ffe5e993aacd8865af17',
} as const;

/** The parts of a checkout that a build needs. */
const parts = [
  ...['src', 'handlers', 'specs', 'scripts/compile'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
];

/** The packages of a lock file by their folders. */
type Packages = Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;

const packagesOf = async (root: string): Promise<Packages> =>
  JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;

/** The first number, within which a version of a package stands for another. */
const majorOf = (version = ''): string | undefined => version.split('.')[0];

/** Names the packages that the program needs when it runs, and that this checkout has not, or only with another first number. */
const missingPackages = async (root: string): Promise<string[]> => {
  const [needed, present] = [await packagesOf(root), await packagesOf(rootFolder)];
  return Object.entries(needed)
    .filter(([folder, { dev = false }]) => folder !== '' && !dev)
    .filter(([folder, { version }]) => {
      const there = present[folder];
      return there === undefined || majorOf(there.version) !== majorOf(version);
    })
    .map(([folder, { version }]) => `${folder.replace(/^node_modules\//, '')}@${version}`);
};

/** Links each package of a folder into another one, unless that has it. */
const linkPackages = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (name.startsWith('@')) await linkPackages(join(from, name), join(to, name));
    else if (!existsSync(join(to, name))) await symlink(join(from, name), join(to, name));
  }
};

/** Gives the version the packages of this checkout, and installs those beside them that it has not. */
const installPackages = async (root: string): Promise<void> => {
  const missing = await missingPackages(root);
  const own = join(root, 'packages');
  if (missing.length > 0) {
    say(`It needs packages that this checkout has not: ${missing.join(', ')}`);
    await mkdir(own);
    await run(['npm', 'install', '--prefix', own, '--no-audit', '--no-fund', ...missing], own);
    await linkPackages(join(own, 'node_modules'), join(root, 'node_modules'));
  }
  await linkPackages(join(rootFolder, 'node_modules'), join(root, 'node_modules'));
};

/**
 * Takes the released version out of the history and builds it.
 *
 * @param root - the folder for it, which is made
 * @returns the folder of the build
 * @throws Error where the history lacks it; what the compiler says
 */
export const buildReleased = async (root: string): Promise<string> => {
  const { version, commit } = released;
  const git = (...args: string[]) => run(['git', ...args], rootFolder);
  await git('cat-file', '-e', `${commit}^{commit}`).catch((cause: unknown) => {
    const text = `The history has no version ${version} (commit ${commit}): fetch all of it (git fetch --unshallow)`;
    throw new Error(text, { cause });
  });
  await mkdir(root);
  const archive = `${root}.tar`;
  await git('archive', '--output', archive, commit, ...parts);
  await run(['tar', '-x', '-f', archive], root);
  await installPackages(root);
  const build = join(root, 'dist');
  await mkdir(build);
  await buildProgram(build, root);
  return build;
};
