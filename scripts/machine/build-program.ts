/** Builds the program for running it apart from the project's own build. */

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { compileProgram } from '../compile/build';
import { rootFolder } from '../root-folder';

/**
 * Compiles `src` and `handlers` into folders of their names.
 *
 * @param folder - where those go; no other build changes it
 * @param root - the checkout whose program it is
 * @throws Error with what the compiler says
 */
export const buildProgram = async (folder: string, root = rootFolder): Promise<void> => {
  const errors = await compileProgram(root, folder);
  const said = errors.map(({ file, line, text }) => `${file}:${line} ${text}`);
  if (said.length > 0) throw new Error(`The program cannot be compiled:\n${said.join('\n')}`);
  for (const name of ['node_modules', 'package.json']) {
    await symlink(join(root, name), join(folder, name));
  }
};
