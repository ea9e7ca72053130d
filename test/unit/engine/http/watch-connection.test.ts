import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { whenGone } from '../../../../src/engine/http/watch-connection';

const requestOn = (socket: Socket) => new IncomingMessage(socket);

test('all who watch a connection are told once, but for those who have stopped', async () => {
  const socket = new Socket();
  const told: number[] = [];
  const stops = Array.from({ length: 20 }, (_, index) =>
    whenGone(requestOn(socket), () => told.push(index)),
  );
  for (const stop of stops.slice(2)) stop();
  socket.destroy();
  await once(socket, 'close');
  expect(told).toStrictEqual([0, 1]);
});

test('Node does not take many watches of one connection for a leak', () => {
  const socket = new Socket();
  whenGone(requestOn(socket), () => undefined);
  expect(socket.getMaxListeners()).toBe(0);
});

test('a connection that is gone already is told of later', async () => {
  const socket = new Socket().destroy();
  await once(socket, 'close');
  let isSetUp = false;
  await new Promise<void>((resolve) => {
    whenGone(requestOn(socket), () => {
      expect(isSetUp).toBe(true);
      resolve();
    });
    isSetUp = true;
  });
});

test('nobody is told who stops watching a connection that is gone', async () => {
  const socket = new Socket().destroy();
  let isTold = false;
  const stop = whenGone(requestOn(socket), () => {
    isTold = true;
  });
  stop();
  await once(socket, 'close');
  await new Promise(setImmediate);
  expect(isTold).toBe(false);
});
