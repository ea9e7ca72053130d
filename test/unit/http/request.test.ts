/** The bound of what the bodies of all requests hold, and the headers that announce a body. */

import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { bodyAnnounced, bodyMemory, targetBelow } from '../../../src/http/request';

const newRequest = () => new IncomingMessage(new Socket());

test('requests share the room, and give back all of theirs', () => {
  const memory = bodyMemory(100);
  const [one, other] = [newRequest(), newRequest()];
  memory.hold(one, 30);
  memory.hold(one, 30);
  memory.hold(other, 40);
  expect(() => memory.hold(other, 1)).toThrow(expect.objectContaining({ status: 503 }));
  memory.release(one);
  memory.release(one);
  memory.hold(other, 60);
  expect(() => memory.requireRoom(1)).toThrow(
    expect.objectContaining({ code: 'unavailable', headers: { 'Retry-After': '1' } }),
  );
  memory.release(other);
  expect(() => memory.requireRoom(100)).not.toThrow();
  expect(() => memory.requireRoom(101)).toThrow();
});

test('large bodies take turns, and between two of them others are served', async () => {
  const memory = bodyMemory(100);
  const order: string[] = [];
  const take = async (name: string) => {
    await memory.turn();
    order.push(name);
  };
  // What is ready by now runs in the turn after the first body's.
  const other = async () => {
    await setImmediate();
    await setImmediate();
    order.push('other');
  };
  await Promise.all([take('one'), other(), take('two'), take('three')]);
  expect(order.indexOf('other')).toBeLessThan(order.indexOf('three'));
  expect(order.filter((name) => name !== 'other')).toEqual(['one', 'two', 'three']);
});

test.each<[IncomingHttpHeaders, boolean]>([
  [{}, false],
  [{ 'content-type': 'application/json' }, false],
  [{ 'content-length': '0' }, false],
  [{ 'content-length': '1' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
])('a body is announced by %j: %s', (headers, announced) => {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers });
  expect(bodyAnnounced(request)).toBe(announced);
});

test.each<[basePath: string, target: string, below: string | undefined]>([
  ['', '/a%', '/a%'],
  ['/v1', '/v1/a?b', '/a?b'],
  ['/v1', '/v1?b', '/?b'],
  ['/v1', 'http://host/v1', '/'],
  ['/v1', '/v12/a', undefined],
  ['/v1', '/%761/a%2F', '/a%2F'],
  ['/v1', '/%761%2Fa', undefined],
  ['/v1/x', '/v1?/x/%61', undefined],
  ['/caf%C3%A9/~', '/caf%c3%a9/%7e?%7E', '/?%7E'],
  ['/caf%C3%A9/~', '/caf%c3%a9/', undefined],
  ['/a%7Cb', '/a|b/c', '/c'],
  ['/a:b', '/a%3Ab/c', undefined],
])('below %j, %j is %j', (basePath, target, below) => {
  expect(targetBelow(basePath, target)).toBe(below);
});
