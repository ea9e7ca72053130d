/** The version of the program, which its package states. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const versionAbove = (folder: string): string => {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return versionAbove(dirname(folder));
  const { version }: { readonly version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
};

/** Reads the version of the package that the program is part of. */
export const programVersion = (): string => versionAbove(__dirname);
