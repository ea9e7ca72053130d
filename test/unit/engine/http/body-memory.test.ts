/** The bound of what the bodies of all requests hold. */

import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { bodyMemory } from '../../../../src/engine/http/body-memory';

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
