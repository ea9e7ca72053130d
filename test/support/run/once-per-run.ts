/** Expensive folders, made by the first test file that needs them. */

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMilliseconds = 50;

/** Makes the folder; true for the one call that made it. */
const claim = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/**
 * Fills a folder once per run of jest. Test files that ask at the same time wait; where filling it fails, the next one tries.
 *
 * @param fill - what is done with the empty folder
 * @returns the path of the filled folder, which is read only
 */
export const oncePerRun = async (
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> => {
  const runFolder = process.env['TEST_RUN_FOLDER'];
  if (runFolder === undefined) throw new Error('The global setup has not run');
  const folder = join(runFolder, name);
  const filled = `${folder}.filled`;
  while (!(await claim(folder))) {
    if (existsSync(filled)) return folder;
    await sleep(pauseMilliseconds);
  }
  try {
    await fill(folder);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  await writeFile(filled, '');
  return folder;
};
