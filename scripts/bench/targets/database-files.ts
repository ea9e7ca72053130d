/** SQLite files: filled once, copied for each start. */

import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { resultsFolder } from '../machine/places';

const suffixes = ['', '-wal', '-shm'];

let copies = 0;

/** A folder of the benchmark's own, made where it is missing. */
export const folderOf = (name: string): string => {
  const folder = join(resultsFolder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** Where databases that were filled before are kept. */
export const cachedFile = (name: string): string => join(folderOf('cache'), name);

export const isThere = (path: string): boolean => existsSync(path);

/** Removes a database with the files that belong to it. */
export const removeDatabase = (path: string): void => {
  for (const suffix of suffixes) rmSync(path + suffix, { force: true });
};

/** A path for a database of this run alone. */
export const freshPath = (): string => {
  copies += 1;
  const path = join(folderOf('running'), `${process.pid}-${copies}.sqlite`);
  removeDatabase(path);
  return path;
};

/** A copy for a server to work on. */
export const copyOf = (source: string): string => {
  const path = freshPath();
  for (const suffix of suffixes) {
    if (existsSync(source + suffix)) copyFileSync(source + suffix, path + suffix);
  }
  return path;
};
