/** Runs programs to their end. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program.
 *
 * @returns what it prints
 * @throws Error with what it prints where it fails
 */
export const run = async (command: readonly string[], cwd: string): Promise<string> => {
  const [file = '', ...args] = command;
  const { stdout } = await promisify(execFile)(file, args, { cwd }).catch((error: Error) => {
    throw new Error(`${Reflect.get(error, 'stdout')}${error.message}`);
  });
  return stdout.trim();
};
