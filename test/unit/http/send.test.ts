/** A text that is sent while it is made: to callers who leave, and from sources that are slow or fail. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { type LiveStream, send, type TextStream } from '../../../src/http/send';
import { listen } from '../../support/listen';
import { openSocket } from '../../support/raw-socket';

interface Served {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly sent: Promise<void>;
}

/** Answers one request by the stream that is made for its response. */
const serve = async (
  streamFor: (response: ServerResponse) => TextStream | LiveStream,
  method = 'GET',
): Promise<Served> => {
  const server = createServer();
  const socket = openSocket(await listen(server));
  const asked = once(server, 'request');
  socket.write(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [request, response] = await asked;
  const answer = { status: 200, headers: {}, body: streamFor(response) };
  return { response, socket, sent: send(request, response, answer) };
};

interface Watched extends TextStream {
  asked: number;
  returned: number;
}

/** Chunks by their number, as `next` gives them. */
const streamOf = (
  next: (index: number) => IteratorResult<string, string> | Promise<IteratorResult<string, string>>,
): Watched => ({
  asked: 0,
  returned: 0,
  async next() {
    this.asked += 1;
    return next(this.asked - 1);
  },
  async return() {
    this.returned += 1;
    return { done: true, value: '' };
  },
});

/** A stream of these chunks; undefined never comes. */
const chunks = (...texts: readonly (string | undefined)[]): Watched =>
  streamOf((index) => {
    const value = texts[index];
    if (value === undefined) return new Promise(() => undefined);
    return { done: index === texts.length - 1, value };
  });

const half = 'x'.repeat(32 * 1024);
const chunk = 'x'.repeat(100_000);

describe('a text that is sent as a whole', () => {
  test.each([
    ['a short one', 'GET', ['a', '', 'b'], 3, 'ab', 'ab'],
    [
      'one just below the limit',
      'GET',
      [half, half.slice(1), 'a'],
      3,
      `${half}${half.slice(1)}a`,
      `${half}${half.slice(1)}a`,
    ],
    ['the only chunk for HEAD', 'HEAD', ['[]'], 1, '[]', ''],
  ])('%s', async (_title, method, texts, asked, whole, body) => {
    const stream = chunks(...texts);
    const { sent, socket } = await serve(() => stream, method);
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    await sent;
    socket.end();
    await once(socket, 'close');
    const [head = '', received] = text.split('\r\n\r\n');
    expect(head).toContain(`Content-Length: ${whole.length}`);
    expect(received).toBe(body);
    expect(stream).toMatchObject({ asked, returned: 1 });
  });
});

test('HEAD asks for one chunk', async () => {
  const stream = chunks('', 'a');
  const { sent, response } = await serve(() => stream, 'HEAD');
  expect(await sent).toBeUndefined();
  expect(response.writableEnded).toBe(true);
  expect(stream).toMatchObject({ asked: 1, returned: 1 });
});

test('a longer text is sent from its beginning', async () => {
  const { sent, socket } = await serve(() => chunks(half, half, 'a', 'b'));
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  expect(await sent).toBeUndefined();
  socket.end();
  await once(socket, 'close');
  const [, ...chunked] = text.slice(text.indexOf('\r\n\r\n') + 2).split('\r\n');
  // Lengths and chunks take turns.
  const body = chunked.filter((_, index) => index % 2 === 1).join('');
  expect([body.length, body === `${half}${half}ab`]).toEqual([2 * half.length + 2, true]);
});

test('a source that fails before the head is sent is told by that', async () => {
  const failure = new Error('no');
  const { sent, response } = await serve(() => streamOf(() => Promise.reject(failure)));
  await expect(sent).rejects.toBe(failure);
  expect([response.headersSent, response.destroyed]).toEqual([false, false]);
});

test('one that fails later has the connection cut off', async () => {
  const failure = new Error('no');
  const stream = streamOf((index) =>
    index < 2 ? { done: false, value: half } : Promise.reject(failure),
  );
  const { sent, response, socket } = await serve(() => stream);
  socket.resume();
  await expect(sent).rejects.toBe(failure);
  expect([response.errored, response.writableEnded]).toEqual([failure, false]);
});

test('a caller that leaves while a chunk is awaited ends the wait and the source', async () => {
  const stream = chunks('a', undefined);
  const { sent, socket } = await serve(() => stream);
  socket.destroy();
  expect(await sent).toBeUndefined();
  expect(stream).toMatchObject({ asked: 2, returned: 1 });
});

test('a caller that resets the connection of a live body has left, and nothing has failed', async () => {
  const state = { returned: 0 };
  const stream: LiveStream = {
    isLive: true,
    contentType: undefined,
    [Symbol.asyncIterator]: () => stream,
    async next() {
      await new Promise((resolve) => setImmediate(resolve));
      return { done: false, value: 'a' };
    },
    async return() {
      state.returned += 1;
      return { done: true, value: undefined };
    },
  };
  const { sent, socket } = await serve(() => stream);
  socket.once('data', () => socket.resetAndDestroy());
  expect(await sent).toBeUndefined();
  expect(state.returned).toBeGreaterThan(0);
});

test('a source that does not end well is told of', async () => {
  const failure = new Error('It does not end');
  const stream = { ...chunks(undefined), return: () => Promise.reject(failure) };
  const { sent, socket } = await serve(() => stream);
  socket.destroy();
  await expect(sent).rejects.toBe(failure);
});

test('a connection that carried a text is not watched any more', async () => {
  const before: number[] = [];
  const { socket, response, sent } = await serve((given) => {
    before.push(given.socket?.listenerCount('close') ?? Number.NaN);
    return chunks(chunk, 'all');
  });
  const carrier = response.socket;
  socket.resume();
  await sent;
  // One less, because the response itself does not watch it any more, either.
  expect(carrier?.listenerCount('close')).toBe((before[0] ?? 0) - 1);
});

test('a chunk that comes too late is not written', async () => {
  const errors: unknown[] = [];
  const { sent } = await serve((given) => {
    given.on('error', (error) => errors.push(error));
    return streamOf(async () => {
      given.destroy();
      return { done: false, value: chunk };
    });
  });
  expect(await sent).toBeUndefined();
  expect(errors).toEqual([]);
});
