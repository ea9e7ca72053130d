/**
 * Serves by several processes of node:cluster: starts them, replaces those that end, and passes signals on to them; and listens for
 * requests to read the documents again, by SIGHUP.
 */

import cluster, { type Worker } from 'node:cluster';
import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { inTurn } from '../../base/run-in-steps';
import type { ReloadResult } from '../../host/reload-result';
import { tryToListen } from '../../http/listening';
import type { Config } from '../config/config';

const standardInput = 0;

/** Makes calls share a run: one that waits for the run under way is that of all who ask meanwhile. */
const joined = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  const runInTurn = inTurn();
  let waiting: Promise<Result> | undefined;
  return () => {
    waiting ??= runInTurn(() => {
      waiting = undefined;
      return work();
    });
    return waiting;
  };
};

/** Calls the function at each SIGHUP. */
const onHangUp = (act: () => void): void => {
  const hasTerminal = isatty(standardInput);
  const listener = (): void => {
    if (hasTerminal && !isatty(standardInput)) {
      // The system sends it, too, when the terminal is closed in which the program runs: it ends as others do.
      process.off('SIGHUP', listener);
      process.kill(process.pid, 'SIGHUP');
    } else act();
  };
  process.on('SIGHUP', listener);
};

/** Reads the documents again at each SIGHUP; what comes of each reload is in the log. */
export const onReloadRequests = (
  reload: () => Promise<ReloadResult>,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): void => {
  const logged = joined(async () => {
    try {
      const { version, refused, mended, weakened } = await reload();
      if (weakened.length > 0) {
        log.warn(
          { version, operations: weakened },
          'Operations require less of callers than before',
        );
      }
      if (refused.length === 0) log.info({ version, mended }, 'Documents reloaded');
      else log.error({ version, mended, refused }, 'Documents reloaded in part');
    } catch (err) {
      log.error({ err }, 'Reload failed; keeping the previous documents');
    }
  });
  onHangUp(() => void logged());
};

/**
 * Closes, when the worker crashes, the connection that was on its way to it, so that its caller learns of it as the callers
 * do whose connections the worker had. The round robin of node:cluster hands a worker one connection at a time, keeps its own
 * copy until the worker says that it took it, and forgets the copy, still open, where the worker crashes before.
 */
export const closeConnectionsInTransit = (worker: Worker): void => {
  const { process: child } = worker;
  const { send } = child;
  let handed: { close?(): void } = {};
  child.send = (...args: unknown[]): boolean => {
    const handle: typeof handed = Object(args[1]);
    if (typeof handle.close === 'function') handed = handle;
    return Reflect.apply(send, child, args);
  };
  worker.once('exit', () => {
    // One that exited in order has passed on what it did not take. To close a copy twice does nothing.
    if (!worker.exitedAfterDisconnect) handed.close?.();
  });
};

/** Logs what a worker announces that the one before did not; the first one has printed it. */
const tellChanges = (log: Pick<Logger, 'warn'>): void => {
  let said: readonly string[] | undefined;
  cluster.on('message', ({ process: { pid } }, message: unknown) => {
    const announced: unknown = Reflect.get(Object(message), 'announced');
    if (!Array.isArray(announced)) return;
    const lines = announced.map(String);
    const added = lines.filter((line) => said?.includes(line) === false);
    const gone = said?.filter((line) => !lines.includes(line)) ?? [];
    said = lines;
    if (added.length + gone.length === 0) return;
    log.warn({ worker: pid, added, gone }, 'A worker serves otherwise than those before it');
  });
};

const passOn = (signal: NodeJS.Signals): void => {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
};

/**
 * Starts the first worker, and the others once it serves, so that what can refuse a start refuses it once. This process ends when
 * no worker is left: with 0 where all finished in order and in time, with 1 where the first one could not start.
 * @throws Error where the port cannot be used
 */
export const runWorkers = async (
  { host, port, workers: count, shutdownSeconds }: Config,
  log: Pick<Logger, 'error' | 'warn'>,
): Promise<void> => {
  // A worker observes the shutdown time by itself; one that is late by this much hangs.
  const graceMilliseconds = 2000;
  // A worker that ended is replaced after so many milliseconds: one that ends at once does not keep the processor busy.
  const pauseMilliseconds = 1000;
  const address = await tryToListen(port, host);
  // Port 0 would be another one for each.
  const environment = { PORT: port || new URL(address).port };
  let hasServed = false;
  let isStopping = false;
  const start = (): void => {
    if (!isStopping) closeConnectionsInTransit(cluster.fork(environment));
  };
  tellChanges(log);
  cluster.once('listening', () => {
    hasServed = true;
    for (let others = count - 1; others > 0; others -= 1) start();
  });
  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    if (hasServed && !isStopping) {
      log.error({ worker: pid, code, signal }, 'Worker ended; it is replaced');
      setTimeout(start, pauseMilliseconds);
      return;
    }
    // A worker that was stopped has finished its work; one that still started had none.
    if (isStopping && (code === 0 || signal === 'SIGTERM' || signal === 'SIGINT')) return;
    log.error({ worker: pid, code, signal }, 'Worker ended');
    process.exitCode = 1;
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      passOn(signal);
      setTimeout(() => passOn('SIGKILL'), shutdownSeconds * 1000 + graceMilliseconds).unref();
    });
  }
  onHangUp(() => passOn('SIGHUP'));
  start();
};
