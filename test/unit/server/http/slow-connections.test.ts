/** Connections that end because of the speed of their bodies, or of their readers; real ones would take ten seconds each. */

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

describe('a reader', () => {
  let [written, waiting] = [0, 0];
  let setTimeout: jest.SpiedFunction<Socket['setTimeout']>;

  beforeEach(() => {
    latest = undefined;
    [written, waiting] = [0, 0];
    Object.defineProperty(socket, 'bytesWritten', { get: () => written });
    Object.defineProperty(socket, 'writableLength', { get: () => waiting });
    setTimeout = jest.spyOn(socket, 'setTimeout');
  });

  /** Lets ten seconds pass, after which so much has been written in all, and so much of it waits. */
  const look = (all: number, behind: number): void => {
    [written, waiting] = [all, behind];
    pass(10, 0);
  };

  test('that would be too slow even if it took at once what waits is cut off', () => {
    look(50_000, 1999);
    look(50_000, 1999);
    expect(socket.destroyed).toBe(false);
    look(50_000, 1999);
    expect(socket.destroyed).toBe(true);
  });

  test('that is fast enough stays, however much waits', () => {
    for (let all = 50_000; all < 60_000; all += 1000) look(all, 20);
    expect(socket.destroyed).toBe(false);
  });

  test('that has caught up meanwhile starts again', () => {
    look(50_000, 1500);
    look(50_000, 0);
    look(50_000, 1500);
    look(50_000, 1500);
    expect(socket.destroyed).toBe(false);
  });

  test('that is behind has a minute to take anything', () => {
    look(50_000, 0);
    expect(setTimeout).not.toHaveBeenCalled();
    look(90_000, 40_000);
    look(90_000, 40_000);
    expect(setTimeout.mock.calls).toEqual([[60_000]]);
  });

  test('that has caught up may wait for a slow source, but not for its next request', () => {
    latest = newResponse();
    look(90_000, 40_000);
    look(90_000, 0);
    expect(setTimeout.mock.calls).toEqual([[60_000], [0]]);
    look(190_000, 40_000);
    latest = undefined;
    look(190_000, 0);
    expect(setTimeout.mock.calls).toEqual([[60_000], [0], [60_000]]);
  });
});

function given(response: ServerResponse | undefined): ServerResponse {
  if (response === undefined) throw new Error('There is no response');
  return response;
}
