/** Supervises several workers: starts them, replaces those that end, and stops them all. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Ending, WorkerProcess } from './worker-process';

/** The workers, and the surroundings that they are run in. */
export interface WorkersOptions {
  readonly count: number;
  readonly fork: () => WorkerProcess;
  /** The time that workers have to finish when they are stopped. */
  readonly shutdownSeconds: number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Its abortion stops all of them. */
  readonly stop: AbortSignal;
  /** Called once, when all serve. */
  readonly announce: (lines: readonly string[]) => void;
}

/** A worker that ended is replaced after so many milliseconds: one that ends at once does not keep the processor busy. */
const pauseMilliseconds = 1000;
/** A worker observes the shutdown time by itself; one that is late by this much hangs. */
const graceMilliseconds = 2000;

/** Tells whether a worker that was stopped finished its work; one that still started had none. */
const isOrderly = ({ code, signal }: Ending): boolean =>
  code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';

/**
 * Runs the workers until they are stopped. Resolves, when none is left, to whether all finished in order and in time.
 * @throws Error with the reason of the first worker that cannot start at the beginning; then, too, none is left
 */
export const runWorkers = async ({
  count,
  fork,
  shutdownSeconds,
  log,
  stop,
  announce,
}: WorkersOptions): Promise<boolean> => {
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

  /** Waits a while, or until the stop. */
  const pause = (): Promise<void> =>
    wait(pauseMilliseconds, undefined, { signal: stop }).catch(() => undefined);

  const replace = (): WorkerProcess => {
    const worker = launch();
    worker.started.then(
      () => log.info({ worker: worker.pid }, 'Worker restarted'),
      (err: unknown) => {
        if (!stop.aborted) log.error({ worker: worker.pid, err }, 'Worker could not start');
      },
    );
    return worker;
  };

  /** Keeps a worker running until the stop; resolves to whether the last one then finished in order. */
  const supervise = async (first: WorkerProcess): Promise<boolean> => {
    let worker = first;
    let ending = await worker.ended;
    while (!stop.aborted) {
      log.error({ worker: worker.pid, ...ending }, 'Worker ended; it is replaced');
      await pause();
      if (stop.aborted) return true;
      worker = replace();
      ending = await worker.ended;
    }
    return isOrderly(ending);
  };

  stop.addEventListener('abort', endAll, { once: true });
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
  const inOrder = await Promise.all(workers.map(supervise));
  return inOrder.every(Boolean);
};
