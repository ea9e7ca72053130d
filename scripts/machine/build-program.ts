/** Builds the program for running it apart from the project's own build. */

import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rootFolder } from '../root-folder';

const run = promisify(execFile);

/**
 * Compiles `src` and `handlers` into folders of their names.
 *
 * @param folder - where those go; no other build changes it
 * @throws Error with what the compiler says
 */
export const buildProgram = async (folder: string): Promise<void> => {
  const compiler = join(rootFolder, 'node_modules/typescript/bin/tsc');
  const project = join(rootFolder, 'tsconfig.build.json');
  try {
    await run(process.execPath, [compiler, '-p', project, '--outDir', folder]);
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`The program cannot be compiled:\n${said}`, { cause: error });
  }
  await symlink(join(rootFolder, 'node_modules'), join(folder, 'node_modules'));
};
