/** Which connections end because of the speed of their bodies; real ones would take ten seconds each. */

import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { endSlowConnections } from '../../../../src/server/http/slow-connections';

let server: Server;
let ended: unknown[];
let latest: ServerResponse | undefined;
let bytes: number;
let socket: Socket;

/** A request whose body is being read. */
const newResponse = (): ServerResponse => {
  const request = new IncomingMessage(socket);
  request.on('data', () => undefined);
  return new ServerResponse(request);
};

beforeEach(() => {
  jest.useFakeTimers();
  ended = [];
  bytes = 0;
  server = createServer();
  server.on('clientError', (error, at) => ended.push([error.message, at]));
  endSlowConnections(server, 100, () => latest);
  socket = new Socket();
  Object.defineProperty(socket, 'bytesRead', { get: () => bytes });
  server.emit('connection', socket);
  latest = newResponse();
});

afterEach(() => {
  server.emit('close');
  jest.useRealTimers();
});

const pass = (seconds: number, more: number): void => {
  bytes += more;
  jest.advanceTimersByTime(seconds * 1000);
};

test('a body that stalls ends, at the second look', () => {
  pass(10, 500_000);
  expect(ended).toEqual([]);
  pass(10, 0);
  expect(ended).toEqual([['The body comes too slowly', socket]]);
});

test('a body just slower than the least speed ends', () => {
  pass(10, 0);
  pass(10, 1000);
  expect(ended).toEqual([]);
  pass(10, 999);
  expect(ended).toHaveLength(1);
});

describe('what goes on:', () => {
  test('a body that is fast enough', () => {
    for (let look = 0; look < 5; look += 1) pass(10, 1000);
    expect(ended).toEqual([]);
  });

  test('one request after the other', () => {
    for (let look = 0; look < 5; look += 1) {
      latest = newResponse();
      pass(10, 0);
    }
    expect(ended).toEqual([]);
  });

  test('a connection without a request', () => {
    latest = undefined;
    pass(60, 0);
    expect(ended).toEqual([]);
  });

  test('a whole body', () => {
    Object.assign(given(latest).req, { complete: true });
    pass(60, 0);
    expect(ended).toEqual([]);
  });

  test('a body that we do not read', () => {
    given(latest).req.pause();
    pass(60, 0);
    expect(ended).toEqual([]);
  });

  test('a closed connection', () => {
    pass(10, 0);
    socket.emit('close');
    pass(60, 0);
    expect(ended).toEqual([]);
  });

  test('whatever stands still because the process did', () => {
    pass(10, 0);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 60_000);
    pass(10, 0);
    expect(ended).toEqual([]);
  });
});

function given(response: ServerResponse | undefined): ServerResponse {
  if (response === undefined) throw new Error('There is no response');
  return response;
}
