/** A text in pieces and a caller who reads none of them, or whose source takes its time. */

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { pumpStream } from '../../../../src/engine/http/pump-stream';
import type { TextStream } from '../../../../src/engine/http/text-stream';

let server: Server | undefined;

afterEach(async () => {
  if (server === undefined) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const stall = 50;

interface Exchange {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly reports: unknown[];
}

/** Answers one request by the stream that is made for its response. */
const serve = async (streamFor: (response: ServerResponse) => TextStream): Promise<Exchange> => {
  const reports: unknown[] = [];
  const started = createServer();
  server = started;
  started.listen(0, '127.0.0.1');
  await once(started, 'listening');
  const socket = connect((started.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const asked = once(started, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [request, response] = await asked;
  pumpStream(request, response, streamFor(response), (error) => reports.push(error), stall);
  return { response, socket, reports };
};

const ending = (next: TextStream['next']): TextStream & { ends: number } => ({
  ends: 0,
  next,
  async end() {
    this.ends += 1;
  },
});

const piece = 'x'.repeat(100_000);

test('a caller that reads nothing is disconnected, and the source ended', async () => {
  const stream = ending(async () => ({ done: false, value: piece }));
  const { response, reports } = await serve(() => stream);
  await once(response, 'close');
  expect(response.writableEnded).toBe(false);
  expect(stream.ends).toBe(1);
  expect(reports).toStrictEqual([]);
});

test('so is one that does not read the last piece', async () => {
  const stream = ending(async () => ({ done: true, value: piece.repeat(300) }));
  const { response, socket } = await serve(() => stream);
  await once(response, 'close');
  let length = 0;
  socket.on('data', (chunk) => {
    length += chunk.length;
  });
  await once(socket, 'close');
  expect(length).toBeLessThan(30_000_000);
});

test('a caller that waits for a slow source is not', async () => {
  const { socket } = await serve((response) =>
    ending(async () => {
      await once(response, 'timeout');
      return { done: true, value: 'late' };
    }),
  );
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    if (text.endsWith('late')) socket.end();
  });
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toMatch(/\r\nlate$/);
});

test('a source that does not end well is reported', async () => {
  const failure = new Error('It does not end');
  const { response, socket, reports } = await serve(() => ({
    next: () => new Promise(() => undefined),
    end: () => Promise.reject(failure),
  }));
  socket.destroy();
  await once(response, 'close');
  expect(reports).toStrictEqual([failure]);
});

test('a connection that carried a text is not watched any more', async () => {
  const before: number[] = [];
  const { socket, response } = await serve((given) => {
    before.push(given.socket?.listenerCount('close') ?? Number.NaN);
    return ending(async () => ({ done: true, value: 'all' }));
  });
  const carrier = response.socket;
  socket.resume();
  await once(response, 'finish');
  // One less, because the response itself does not watch it any more, either.
  expect(carrier?.listenerCount('close')).toBe((before[0] ?? 0) - 1);
});

test('a piece that comes too late is not written', async () => {
  const errors: unknown[] = [];
  const { response, reports } = await serve((given) => {
    given.on('error', (error) => errors.push(error));
    return ending(async () => {
      given.destroy();
      return { done: false, value: piece };
    });
  });
  await once(response, 'close');
  expect([...errors, ...reports]).toStrictEqual([]);
});
