/** Keeps a connection from hanging that a worker was being handed when it exited. */

import type { Worker } from 'node:cluster';

interface Handle {
  close(): void;
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' &&
  value !== null &&
  'close' in value &&
  typeof value.close === 'function';

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
