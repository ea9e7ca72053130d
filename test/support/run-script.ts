/** Runs programs in TypeScript as they are, in one process each. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootFolder } from '../../scripts/root-folder';

/** The options with which Node.js runs a program in TypeScript. */
export const tsxOptions: readonly string[] = [
  '--import',
  pathToFileURL(join(rootFolder, 'node_modules/tsx/dist/loader.mjs')).href,
];

/** Runs a program in a folder until it ends; gives its exit code and its output. */
export const runScript = (cwd: string, script: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...tsxOptions, script, ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
};
