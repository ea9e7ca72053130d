/** A worker as the primary sees it: forked, started or failed, signalled, ended. */

import cluster, { type Worker } from 'node:cluster';
import { type Channel, openChannel } from './ipc';
import { closeConnectionsInTransit } from './worker-connections';

/** How a worker came to its end. */
export interface Ending {
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** How long it lived. */
  readonly milliseconds: number;
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

/** What a worker tells the primary once it serves. */
export interface Started {
  /** The origin of the address that the workers listen on. */
  readonly address: string;
  readonly announcement: readonly string[];
}

/** What a worker asks the primary: the address of those that serve already, nothing where it is among the first. */
export const addressQuestion = 'address';
/** What it tells the primary. */
export const startedNotice = 'started';
export const failedNotice = 'failed';

const endingOf = (worker: Worker): Promise<Ending> => {
  const from = performance.now();
  return new Promise((resolve) => {
    const end = (code: number | null, signal: string | null): void =>
      resolve({ code, signal, milliseconds: performance.now() - from });
    worker.once('exit', end);
    // A process that never came to be has no exit.
    worker.on('error', () => {
      if (worker.process.pid === undefined) end(null, null);
    });
  });
};

const startOf = (channel: Channel, ended: Promise<Ending>): Promise<Started> =>
  new Promise((resolve, reject) => {
    channel.handle(startedNotice, (started) => resolve(started as Started));
    channel.handle(failedNotice, (reason) => reject(new Error(String(reason))));
    void ended.then(({ code, signal }) =>
      reject(new Error(`A worker ended before it served (${signal ?? `exit code ${code}`}).`)),
    );
  });

/**
 * Makes a function that forks workers which share one port.
 * @param port as the operator gave it; 0 takes any free one, the same for all
 * @param serveWorker called for each new worker, to answer what it asks; given the workers that serve at the time
 */
export const workerForks = (
  port: number,
  serveWorker: (worker: Channel, serving: () => readonly Channel[]) => void,
): (() => WorkerProcess) => {
  const living = new Set<Worker>();
  const serving = new Set<Channel>();
  /** What the next worker asks for: those that share must ask for the same. */
  let asked = port;
  /** What callers know. */
  let taken: number | undefined;
  let known: string | undefined;

  return () => {
    // Port 0 means the one taken only as long as somebody holds it.
    if (living.size === 0 && taken !== undefined) asked = taken;
    const worker = cluster.fork({ PORT: String(asked) });
    living.add(worker);
    closeConnectionsInTransit(worker);
    const channel = openChannel(worker);
    serveWorker(channel, () => [...serving]);
    const ended = endingOf(worker);
    const started = startOf(channel, ended);
    channel.handle(addressQuestion, () => known);
    worker.on('listening', (address) => {
      taken ??= address.port;
      // The last holder of port 0 died while this one was starting: nobody would find it.
      if (address.port !== taken) worker.process.kill('SIGKILL');
    });
    void started.then(
      ({ address }) => {
        known = address;
        serving.add(channel);
      },
      () => undefined,
    );
    void ended.then(() => {
      living.delete(worker);
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
