/** A worker as the primary sees it: forked, started or failed, signalled, ended. */

import cluster, { type Worker } from 'node:cluster';
import { type Channel, openChannel } from './ipc';

interface Handle {
  close(): void;
}

const isHandle = (value: unknown): value is Handle =>
  typeof Reflect.get(Object(value), 'close') === 'function';

/**
 * Closes, when the worker crashes, the connection that was on its way to it, so that its caller learns of it as the callers
 * do whose connections the worker had. The round robin of node:cluster hands a worker one connection at a time, keeps its own
 * copy until the worker says that it took it, and forgets the copy, still open, where the worker crashes before.
 */
export const closeConnectionsInTransit = (worker: Worker): void => {
  const { process: child } = worker;
  const { send } = child;
  let handed: Handle | undefined;
  child.send = (...args: unknown[]): boolean => {
    if (isHandle(args[1])) handed = args[1];
    return Reflect.apply(send, child, args);
  };
  worker.once('exit', () => {
    // One that exited in order has passed on what it did not take. To close a copy twice does nothing.
    if (!worker.exitedAfterDisconnect) handed?.close();
  });
};

/** The end of a worker. */
export interface Ending {
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** One worker. */
export interface WorkerProcess {
  /** Undefined where the system could not make a process. */
  readonly pid: number | undefined;
  /** Resolves to what the worker announces once it serves; rejects with the reason where it never does. */
  readonly started: Promise<readonly string[]>;
  readonly ended: Promise<Ending>;
  signal(name: NodeJS.Signals): void;
}

/** The report of a worker to the primary once it serves. */
interface Started {
  /** The origin of the address that the workers listen on. */
  readonly address: string;
  readonly announcement: readonly string[];
}

/**
 * The requests of a worker to the primary. `address`: of the workers that serve already, undefined where there are none;
 * `isReady`: whether all workers have served.
 */
export const workerRequests = {
  address: 'address',
  started: 'started',
  failed: 'failed',
  isReady: 'is ready',
} as const;

const endingOf = (worker: Worker): Promise<Ending> =>
  new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal }));
    // A process that never came to be has no exit.
    worker.on('error', () => {
      if (worker.process.pid === undefined) resolve({ code: null, signal: null });
    });
  });

const startOf = (channel: Channel, ended: Promise<Ending>): Promise<Started> =>
  new Promise((resolve, reject) => {
    channel.handle(workerRequests.started, (started) => resolve(started as Started));
    channel.handle(workerRequests.failed, (reason) => reject(new Error(String(reason))));
    void ended.then(({ code, signal }) =>
      reject(new Error(`A worker ended before it served (${signal ?? `exit code ${code}`}).`)),
    );
  });

/**
 * Makes a function that forks workers which share one port.
 * @param port as the operator gave it; 0 takes any free one, the same for all
 * @param serveWorker called for each new worker, to handle its requests; given the workers that serve at the time
 */
export const workerForks = (
  port: number,
  serveWorker: (worker: Channel, serving: () => readonly Channel[]) => void,
): (() => WorkerProcess) => {
  const running = new Set<Worker>();
  const serving = new Set<Channel>();
  /** The PORT of the next worker: those that share a port must be given the same. */
  let requested = port;
  let taken: number | undefined;
  let address: string | undefined;

  return () => {
    // Port 0 means the one taken only as long as a worker listens on it.
    if (running.size === 0 && taken !== undefined) requested = taken;
    const worker = cluster.fork({ PORT: String(requested) });
    running.add(worker);
    closeConnectionsInTransit(worker);
    const channel = openChannel(worker);
    serveWorker(channel, () => [...serving]);
    const ended = endingOf(worker);
    const started = startOf(channel, ended);
    channel.handle(workerRequests.address, () => address);
    worker.on('listening', ({ port: listening }) => {
      taken ??= listening;
      // The last worker on port 0 exited while this one was starting: no caller knows its port.
      if (listening !== taken) worker.process.kill('SIGKILL');
    });
    void started.then(
      (report) => {
        address = report.address;
        serving.add(channel);
      },
      () => undefined,
    );
    void ended.then(() => {
      running.delete(worker);
      serving.delete(channel);
    });
    return {
      pid: worker.process.pid,
      started: started.then(({ announcement }) => announcement),
      ended,
      signal: (name) => {
        worker.process.kill(name);
      },
    };
  };
};
