import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { beginStream } from '../../../../src/engine/http/begin-stream';
import { isTextStream, type TextStream } from '../../../../src/engine/http/text-stream';

interface Asked extends TextStream {
  asked: number;
  ended: number;
}

/** A stream of these pieces; undefined never comes. */
const streamOf = (...pieces: readonly (string | undefined)[]): Asked => ({
  asked: 0,
  ended: 0,
  next() {
    const value = pieces[this.asked];
    this.asked += 1;
    const done = this.asked === pieces.length;
    return value === undefined
      ? new Promise(() => undefined)
      : Promise.resolve({ done, value } as IteratorResult<string, string>);
  },
  async end() {
    this.ended += 1;
  },
});

const begin = (
  stream: TextStream,
  method = 'GET',
  socket = new Socket(),
  reports: unknown[] = [],
) => {
  const request = new IncomingMessage(socket);
  request.method = method;
  return beginStream(request, stream, (error) => reports.push(error));
};

const half = 'x'.repeat(32 * 1024);

describe('what is awaited', () => {
  test.each([
    ['all of a short text', 'GET', ['a', '', 'b'], 3, 'ab'],
    [
      'all of a text just below the limit',
      'GET',
      [half, half.slice(1), 'a'],
      3,
      `${half}${half.slice(1)}a`,
    ],
    ['the first 64 KiB of another', 'GET', [half, half, 'a'], 2, undefined],
    ['one piece where that is enough', 'GET', [half + half, 'a'], 1, undefined],
    ['one piece for HEAD', 'HEAD', ['', 'a'], 1, undefined],
    ['the only piece for HEAD', 'HEAD', ['[]'], 1, '[]'],
  ])('%s', async (_title, method, pieces, asked, whole) => {
    const stream = streamOf(...pieces);
    const begun = await begin(stream, method);
    expect(isTextStream(begun) ? undefined : begun).toBe(whole);
    expect(stream).toMatchObject({ asked, ended: 0 });
  });
});

test('the text goes on from its beginning', async () => {
  const begun = await begin(streamOf(half, half, 'a', 'b'));
  if (!isTextStream(begun)) throw new Error('It is not to be the whole');
  const pieces = [await begun.next(), await begun.next(), await begun.next()];
  expect(pieces).toStrictEqual([
    { done: false, value: half + half },
    { done: false, value: 'a' },
    { done: true, value: 'b' },
  ]);
});

test('a caller that goes while a piece is awaited ends the wait and the source', async () => {
  const socket = new Socket();
  const stream = streamOf('a', undefined);
  const reports: unknown[] = [];
  const failure = new Error('It does not end');
  stream.end = () => Promise.reject(failure);
  const begun = begin(stream, 'GET', socket, reports);
  socket.destroy();
  expect(await begun).toBe('');
  expect(reports).toStrictEqual([failure]);
});
