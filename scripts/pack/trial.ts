/** Tries the tarball: its form, its size, its types, and programs that use it under several versions of Node.js. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { errorMessage } from '../../src/base/error-message';
import { say, temporaryFolder } from '../machine/run-main';
import { run } from '../machine/run-program';
import { checkConsumer, compilers } from './consumer-types';
import { copyPrograms, install } from './installation';
import { pack } from './pack';

/** Packages of this folder. */
const tools = join(__dirname, 'node_modules');

/** A check: it resolves to what is to be said of it, and rejects with what is wrong. */
interface Check {
  readonly name: string;
  readonly run: () => Promise<string>;
}

/** Checks the tarball by a program of this folder. */
const toolCheck = (name: string, tarball: string, ...options: string[]): Check => ({
  name,
  run: async () => {
    const file = join(tools, '.bin', name);
    if (!existsSync(file)) throw new Error('Not installed; run npm ci --prefix scripts/pack');
    await run([file, tarball, ...options], tools);
    return 'finds nothing';
  },
});

const hashOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** Packs again: who repeats a release is to get the bytes that were published. */
const repeat = async (tarball: string): Promise<string> => {
  const again = await pack(temporaryFolder('pack-again-'));
  const [hash, other] = [await hashOf(tarball), await hashOf(again)];
  if (hash !== other) throw new Error(`The same files gave ${hash} and ${other}`);
  return `sha256 ${hash}`;
};

/** A runtime: the command that runs a file. */
interface Runtime {
  readonly name: string;
  readonly command: readonly string[];
}

/** Returns the versions of Node.js; this folder has them for one platform, and elsewhere the one that runs stands for all. */
const versionsOfNode = (): readonly Runtime[] => {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') {
    return [{ name: `Node.js ${process.versions.node}`, command: [process.execPath] }];
  }
  return [20, 22, 24, 26].map((version) => ({
    name: `Node.js ${version}`,
    command: [join(tools, `node${version}`, 'bin', 'node')],
  }));
};

/** Finds other runtimes where they are installed. */
const otherRuntimes = (): readonly Runtime[] => {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const isInstalled = (name: string): boolean =>
    folders.some((folder) => existsSync(join(folder, name)));
  return [
    { name: 'Bun', command: ['bun'] },
    { name: 'Deno', command: ['deno', 'run', '-A'] },
  ].filter(({ command: [name = ''] }) => isInstalled(name));
};

const checksOf = (tarball: string, folder: string): readonly Check[] => [
  toolCheck('publint', tarball, '--strict'),
  // Its other profiles ask for subpaths that Node.js 10 can find.
  toolCheck('attw', tarball, '--profile', 'node16'),
  { name: 'packed again', run: () => repeat(tarball) },
  { name: 'npm install', run: () => install(tarball, folder) },
  ...Object.entries(compilers).map(([name, compiler]) => ({
    name,
    run: () => checkConsumer(folder, compiler),
  })),
  ...[...versionsOfNode(), ...otherRuntimes()].map(({ name, command }) => ({
    name,
    // As a module of ECMAScript, and as one of CommonJS.
    run: async () => {
      await run([...command, 'program.mjs'], folder);
      return run([...command, 'program.cjs'], folder);
    },
  })),
];

/** Tries the tarball in a temporary folder, and prints a line for each check; resolves to true where all is well. */
export const tryPackage = async (tarball: string): Promise<boolean> => {
  const folder = temporaryFolder('try-package-');
  let isWell = true;
  await copyPrograms(folder);
  for (const check of checksOf(tarball, folder)) {
    const result = await check.run().catch((error: unknown) => {
      isWell = false;
      return `FAILED: ${errorMessage(error)}`;
    });
    say(`${check.name.padEnd(16)} ${result}`);
  }
  return isWell;
};
