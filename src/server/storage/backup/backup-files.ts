/** What a backup needs of the file system: names that are free, and changes that survive the loss of power. */

import { randomUUID } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './backup-connection';

/** Does nothing where there is no such file. */
const unlessMissing = (error: unknown): undefined => {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
};

/** Undefined where there is no such file. */
export const factsOf = (path: string) => stat(path, { bigint: true }).catch(unlessMissing);

/** Whether both are there and are one file. */
export const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [oneFacts, otherFacts] = [await factsOf(one), await factsOf(other)];
  return (
    oneFacts !== undefined && oneFacts.dev === otherFacts?.dev && oneFacts.ino === otherFacts.ino
  );
};

const sync = async (path: string): Promise<void> => {
  const opened = await open(path, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
};

/** Resolves when the file's content is on the disk. */
export const syncFile = sync;

/** Resolves when the names in the file's folder are on the disk. */
export const syncFolderOf = (path: string): Promise<void> => sync(dirname(path));

/**
 * Lets the work make a file under a temporary name beside the path; what is still there afterwards is removed. A name of its
 * own each time: two that write the same file do not disturb each other.
 */
export const withPartial = async <Result>(
  path: string,
  work: (partial: string) => Promise<Result>,
): Promise<Result> => {
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    return await work(partial);
  } finally {
    for (const left of ['', '-journal', '-wal', '-shm'])
      await rm(`${partial}${left}`, { force: true });
  }
};
