import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { closeConnectionsInTransit } from '../../../../src/server/processes/workers';

/** A worker that keeps what it was sent. */
const fakeWorker = (exitedAfterDisconnect: boolean) => {
  const sent: unknown[][] = [];
  const child = {
    send: (...args: unknown[]): boolean => {
      sent.push(args);
      return true;
    },
  };
  const worker = Object.assign(new EventEmitter(), { process: child, exitedAfterDisconnect });
  closeConnectionsInTransit(worker as unknown as Worker);
  return { worker, child, sent };
};

const fakeConnection = () => {
  let closed = 0;
  return { close: () => (closed += 1), closed: () => closed };
};

describe('closeConnectionsInTransit', () => {
  test('lets everything pass as it is', () => {
    const { child, sent } = fakeWorker(false);
    const connection = fakeConnection();
    expect(child.send({ a: 1 })).toBe(true);
    expect(child.send({ a: 2 }, connection)).toBe(true);
    expect(sent).toEqual([[{ a: 1 }], [{ a: 2 }, connection]]);
  });

  test.each<[string, boolean, number]>([
    ['closes the last connection of a worker that died', false, 1],
    ['leaves it to one that ended in order', true, 0],
  ])('%s', (_, inOrder, closed) => {
    const { worker, child } = fakeWorker(inOrder);
    const [taken, handed] = [fakeConnection(), fakeConnection()];
    child.send({}, taken);
    child.send({}, handed);
    child.send({});
    expect(handed.closed()).toBe(0);
    worker.emit('exit');
    expect([taken.closed(), handed.closed()]).toEqual([0, closed]);
  });

  test('has nothing to close where nothing was handed', () => {
    const { worker, child } = fakeWorker(false);
    child.send({}, undefined);
    expect(() => worker.emit('exit')).not.toThrow();
  });
});
