/** Sees to it that a connection which a worker was being handed when it died does not hang. */

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
 * Closes, when the worker dies, the connection that was on its way to it, so that the caller learns of it as the callers
 * do whose connections it had. The round robin of node:cluster hands a worker one connection at a time, keeps its own
 * copy until the worker says that it took it, and forgets the copy, still open, where the worker dies before.
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
    // One that left in order has passed on what it did not take. To close a copy twice does nothing.
    if (!worker.exitedAfterDisconnect) handed?.close();
  });
};
