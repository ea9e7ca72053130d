/** Compiles a user's program against the declarations of the package, as strictly as compilers can. */

import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';

/** The packages of compilers, with the names of their versions. */
export const compilers = { 'TypeScript 7': 'typescript', 'TypeScript 5.9': 'typescript-5' };

/** The settings of `module` and `moduleResolution` that programs have. */
const resolutions = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['preserve', 'bundler'],
] as const;

const compilerOptions = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: false,
  types: ['node'],
};

/** Adds to the folder of an installation what the program is compiled with: itself as CommonJS, and the types of Node.js. */
const prepare = async (folder: string): Promise<void> => {
  await copyFile(join(folder, 'consumer.mts'), join(folder, 'consumer.cts'));
  const types = 'node_modules/@types';
  await mkdir(join(folder, types), { recursive: true });
  await rm(join(folder, types, 'node'), { force: true });
  await symlink(join(rootFolder, types, 'node'), join(folder, types, 'node'));
};

/**
 * Compiles `consumer.mts` in the folder of an installation, as a module of ECMAScript and as one of CommonJS, with each way of finding
 * modules.
 *
 * @returns a sentence
 * @throws Error with what the compiler says where it does not compile
 */
export const checkConsumer = async (folder: string, compiler: string): Promise<string> => {
  await prepare(folder);
  for (const [module, moduleResolution] of resolutions) {
    const project = join(folder, `tsconfig.${module}.json`);
    const settings = { ...compilerOptions, module, moduleResolution };
    const files = ['consumer.mts', 'consumer.cts'];
    await writeFile(project, JSON.stringify({ compilerOptions: settings, files }));
    const tsc = join(rootFolder, 'node_modules', compiler, 'bin/tsc');
    await run([process.execPath, tsc, '-p', project, '--pretty', 'false'], folder);
  }
  return `compiles with ${resolutions.map(([, name]) => name).join(', ')}`;
};
