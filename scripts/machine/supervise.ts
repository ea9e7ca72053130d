/** Keeps a program running, as a service manager does: starts it again whenever it ends. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { killGroup } from './processes';

/** A program that is kept running. */
export interface Supervised {
  /** Of the process itself; undefined where it has ended. */
  pid(): number | undefined;
  /** Kills the process and all that it started. */
  killAll(): void;
  /** Counts its starts. */
  starts(): number;
  /** Returns its output since the last start. */
  said(): string;
  /** Ends it by the signal, with all that it started, and does not start it again. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

const pauseMilliseconds = 50;
/** A process that does not end in time after a signal is killed. */
const timeoutMilliseconds = 10_000;

/**
 * Starts the program and keeps it running.
 *
 * @param launch starts it as the leader of a process group, its output in pipes
 * @param logFile where its output is kept
 */
export const supervise = (launch: () => ChildProcess, logFile: string): Supervised => {
  let child: ChildProcess;
  let ended: Promise<unknown>;
  let hasEnded = false;
  let isStopping = false;
  let starts = 0;
  let timer: NodeJS.Timeout | undefined;

  let said = '';

  const log = (chunk: Buffer): void => {
    said += chunk;
    appendFileSync(logFile, chunk);
  };

  const start = (): void => {
    said = '';
    child = launch();
    starts += 1;
    child.stdout?.on('data', log);
    child.stderr?.on('data', log);
    // The pipes close when the last process that the program started has ended.
    hasEnded = false;
    ended = once(child, 'close');
    ended.then(again, again);
  };
  const again = (): void => {
    hasEnded = true;
    if (!isStopping) timer = setTimeout(start, pauseMilliseconds);
  };

  const killAll = (): void => {
    // The id of an ended process may be given to another one.
    if (!hasEnded && child.pid !== undefined) killGroup(child.pid);
  };
  // It leads a group of its own, so signals of a terminal do not reach it.
  process.on('exit', killAll);

  start();
  return {
    pid: () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined),
    killAll,
    starts: () => starts,
    said: () => said,
    async stop(signal) {
      isStopping = true;
      clearTimeout(timer);
      child.kill(signal);
      const late = setTimeout(killAll, timeoutMilliseconds);
      await ended;
      clearTimeout(late);
      process.off('exit', killAll);
    },
  };
};
