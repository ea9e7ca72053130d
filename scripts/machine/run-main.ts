/** Runs a program to its end: its exit code, and what it removes before. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Task = () => unknown;

const tasks = new Set<Task>();

/** Runs the task however the program ends; returns a function that runs it earlier, and once only. */
export const atEnd = (task: Task): (() => Promise<void>) => {
  tasks.add(task);
  return async () => {
    if (tasks.delete(task)) await task();
  };
};

/** Makes a folder that is removed at the end. */
export const temporaryFolder = (prefix: string, parent = tmpdir()): string => {
  const folder = mkdtempSync(join(parent, prefix));
  atEnd(() => rmSync(folder, { recursive: true }));
  return folder;
};

/** Prints a line. */
export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const complain = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
};

/** Runs the tasks, the newest first; tells whether all of them went well. One that fails does not keep the others from running. */
const cleanUp = async (): Promise<boolean> => {
  let isWell = true;
  for (const task of [...tasks].reverse()) {
    tasks.delete(task);
    await Promise.resolve()
      .then(task)
      .catch((error: unknown) => {
        complain(error);
        isWell = false;
      });
  }
  return isWell;
};

/** Ends the process with the exit code that `main` resolves to, or with 1 and the reason; so do the signals to stop. */
export const runMain = (main: () => Promise<number>): void => {
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    const isClean = await cleanUp();
    process.exit(isClean ? code : code || 1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(130));
  main().then(end, (error: unknown) => {
    // What fails while the program ends fails because of that.
    if (!isEnding) complain(error);
    return end(1);
  });
};
