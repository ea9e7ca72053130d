/** Supervises several workers: starts them, replaces those that exit, and stops them all. */

import { setTimeout as timer } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Ending, WorkerProcess } from './worker-process';

/** What the workers are run with. */
export interface WorkersOptions {
  readonly count: number;
  readonly fork: () => WorkerProcess;
  /** How long workers may take to finish when they are stopped. */
  readonly shutdownSeconds: number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Its abortion stops all of them. */
  readonly stop: AbortSignal;
  /** Called once, when all serve. */
  readonly announce: (lines: readonly string[]) => void;
  /** Rejects when the signal aborts it. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** A worker that did not run as long as this exited early. */
const minUptimeMilliseconds = 10_000;
const firstDelayMilliseconds = 100;
const longestDelayMilliseconds = 30_000;
/** A worker observes the shutdown time by itself; one that is late by this much hangs. */
const graceMilliseconds = 2000;

/** How long to wait before a worker is replaced, in milliseconds, after so many in its slot exited early in a row. */
export const replacementDelay = (exitedEarly: number): number =>
  exitedEarly === 0
    ? 0
    : Math.min(longestDelayMilliseconds, firstDelayMilliseconds * 2 ** (exitedEarly - 1));

/** Whether a worker that was stopped finished what it had to do; one that still started has nothing to finish. */
const isOrderly = ({ code, signal }: Ending): boolean =>
  code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';

const sleepUntilAborted = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  timer(milliseconds, undefined, { signal });

/**
 * Runs the workers until they are stopped. Resolves, when none is left, to whether all finished in order and in time.
 * @throws Error with the reason of the first worker that cannot start at the beginning; then, too, none is left
 */
export const runWorkers = async (options: WorkersOptions): Promise<boolean> => {
  const { count, fork, shutdownSeconds, log, stop, announce, sleep = sleepUntilAborted } = options;
  const running = new Set<WorkerProcess>();

  const launch = (): WorkerProcess => {
    const worker = fork();
    running.add(worker);
    void worker.ended.then(() => running.delete(worker));
    return worker;
  };

  const signalAll = (name: NodeJS.Signals): void => {
    for (const worker of running) worker.signal(name);
  };

  const endAll = async (): Promise<void> => {
    signalAll('SIGTERM');
    const limit = shutdownSeconds * 1000 + graceMilliseconds;
    const late = setTimeout(() => signalAll('SIGKILL'), limit);
    await Promise.all([...running].map(({ ended }) => ended));
    clearTimeout(late);
  };

  const replace = (): WorkerProcess => {
    const worker = launch();
    worker.started.then(
      () => log.info({ worker: worker.pid }, 'Worker restarted'),
      (err: unknown) => {
        if (!stop.aborted) log.error({ worker: worker.pid, err }, 'A worker could not start');
      },
    );
    return worker;
  };

  const backoff = async (worker: WorkerProcess, ending: Ending, delay: number): Promise<void> => {
    const { code, signal } = ending;
    log.error({ worker: worker.pid, code, signal, delay }, 'A worker ended and is replaced');
    await sleep(delay, stop).catch(() => undefined);
  };

  /** Keeps one slot filled until the stop; resolves to whether the worker in it then finished in order. */
  const superviseSlot = async (first: WorkerProcess): Promise<boolean> => {
    let worker = first;
    let ending = await worker.ended;
    let exitedEarly = 0;
    while (!stop.aborted) {
      exitedEarly = ending.milliseconds < minUptimeMilliseconds ? exitedEarly + 1 : 0;
      await backoff(worker, ending, replacementDelay(exitedEarly));
      if (stop.aborted) return true;
      worker = replace();
      ending = await worker.ended;
    }
    return isOrderly(ending);
  };

  stop.addEventListener('abort', () => void endAll(), { once: true });
  const workers = Array.from({ length: count }, launch);
  try {
    const [announcement = []] = await Promise.all(workers.map(({ started }) => started));
    announce(announcement);
  } catch (error) {
    // A worker that is stopped before it serves has not failed.
    if (!stop.aborted) {
      await endAll();
      throw error;
    }
  }
  const inOrder = await Promise.all(workers.map(superviseSlot));
  return inOrder.every(Boolean);
};
