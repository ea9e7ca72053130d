/** A folder for the files of a test. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/** Makes a folder for each test; the result names files in it, or itself where there is no name. */
export const useTemporaryFolder = (): ((...names: string[]) => string) => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  return (...names) => join(folder, ...names);
};

/** Makes a folder for each test, in which it then works. */
export const useWorkingFolder = (): void => {
  const folder = useTemporaryFolder();
  const before = process.cwd();
  beforeEach(() => process.chdir(folder()));
  afterEach(() => process.chdir(before));
};
