/** Builds the program for running it apart from the project's own build. */

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '../root-folder';
import { bundle } from './bundle';
import { compile } from './compile';

/** Builds into a folder of its own, which no other build changes. */
export const buildProgram = async (folder: string): Promise<void> => {
  await compile(folder);
  await symlink(join(rootFolder, 'node_modules'), join(folder, 'node_modules'));
  await bundle(folder);
};
