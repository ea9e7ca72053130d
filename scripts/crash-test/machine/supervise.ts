/** Keeps a program running, as a service manager does: starts it again whenever it ends. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { kill } from './processes';

/** A program that is kept running. */
export interface Supervised {
  /** Of the process that was started last. */
  pid(): number;
  /** How often it was started. */
  starts(): number;
  /** What it has printed since it was started last. */
  said(): string;
  /** Ends it by the signal, with all that it started, and does not start it again. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

const pauseMilliseconds = 50;
/** Who does not end in time after a signal is killed. */
const patienceMilliseconds = 10_000;

/**
 * Starts the program and keeps it running.
 *
 * @param launch - starts it as the leader of a process group, its output in pipes
 * @param logFile - where its output is kept
 */
export const supervise = (launch: () => ChildProcess, logFile: string): Supervised => {
  let child: ChildProcess;
  let ended: Promise<unknown>;
  let isStopping = false;
  let starts = 0;
  let timer: NodeJS.Timeout | undefined;

  let said = '';

  const log = (chunk: Buffer): void => {
    said += chunk;
    void appendFile(logFile, chunk);
  };

  const start = (): void => {
    said = '';
    child = launch();
    starts += 1;
    child.stdout?.on('data', log);
    child.stderr?.on('data', log);
    // The pipes close when the last process that the program started has ended.
    ended = once(child, 'close');
    ended.then(again, again);
  };
  const again = (): void => {
    if (!isStopping) timer = setTimeout(start, pauseMilliseconds);
  };

  const killGroup = (): void => {
    if (child.pid !== undefined) kill(-child.pid);
  };
  // They lead groups of their own, so no signal of a terminal's reaches them.
  process.on('exit', killGroup);

  start();
  return {
    pid: () => child.pid ?? 0,
    starts: () => starts,
    said: () => said,
    async stop(signal) {
      isStopping = true;
      clearTimeout(timer);
      child.kill(signal);
      const late = setTimeout(killGroup, patienceMilliseconds);
      await ended;
      clearTimeout(late);
      process.off('exit', killGroup);
    },
  };
};
