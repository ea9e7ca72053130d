/** Runs programs to their end. */

import { type ExecFileOptions, execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program.
 *
 * @returns what it prints
 * @throws Error with what it prints where it fails
 */
export const run = async (
  command: readonly string[],
  cwd: string,
  options: Omit<ExecFileOptions, 'encoding'> = {},
): Promise<string> => {
  const [file = '', ...args] = command;
  const given = { ...options, cwd, encoding: 'utf8' } as const;
  const { stdout } = await promisify(execFile)(file, args, given).catch((error: Error) => {
    throw new Error(`${Reflect.get(error, 'stdout')}${error.message}`);
  });
  return stdout.trim();
};
