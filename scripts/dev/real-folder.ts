/** Finds a folder as Node.js calls it in the names of modules. */

import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** The absolute path of a folder, links in it followed. */
export const realFolder = (folder: string): string =>
  existsSync(folder) ? realpathSync(folder) : resolve(folder);
