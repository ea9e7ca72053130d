/** The end of a response, in whatever pieces its bytes arrive. */

import { describe, expect, test } from '@jest/globals';
import {
  type ResponseEnd,
  responseReader,
} from '../../../../../scripts/bench/load/response-reader';

const pieces = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
};

const response = (status: string, headers: readonly string[], body = ''): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n');

const whole = (status: number): ResponseEnd => ({ status, closes: false });
const inChunks = (body: string): string => response('200 OK', ['Transfer-Encoding: chunked'], body);
const letters = 'abcdefghijklmnopqrstuvwxyz';

const responses: readonly (readonly [string, string, ResponseEnd])[] = [
  ['a length', response('200 OK', ['Content-Length: 5'], 'a pet'), whole(200)],
  [
    'a length of bytes, not of characters',
    response('200 OK', ['content-length: 4'], 'äö'),
    whole(200),
  ],
  ['no body', response('204 No Content', ['ETag: "1"']), whole(204)],
  ['an empty body', response('404 Not Found', ['Content-Length: 0']), whole(404)],
  [
    'the end of the connection announced',
    response('503 Away', ['Connection: close', 'Content-Length: 2'], 'no'),
    { status: 503, closes: true },
  ],
  [
    'a body that looks like an end of the head',
    response('200 OK', ['Content-Length: 8'], '\r\n\r\n\r\n\r\n'),
    whole(200),
  ],
  ['chunks', inChunks('3\r\none\r\nA\r\nten bytes.\r\n0\r\n\r\n'), whole(200)],
  ['no chunk', inChunks('0\r\n\r\n'), whole(200)],
  ['digits in any case', inChunks(`1a\r\n${letters}\r\n1A\r\n${letters}\r\n0\r\n\r\n`), whole(200)],
  ['zeros before a size', inChunks('0005\r\na pet\r\n000\r\n\r\n'), whole(200)],
  ['an extension', inChunks('5;name=value\r\na pet\r\n0\r\n\r\n'), whole(200)],
  ['a chunk like an end', inChunks('7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n'), whole(200)],
];

describe.each(responses)('%s', (_, text, end) => {
  test.each([1, 2, 3, 7, 1000])('in pieces of %d, twice on one connection', (size) => {
    const read = responseReader();
    for (const _round of [1, 2]) {
      const ends = pieces(text, size).map((piece) => read(piece));
      expect(ends.slice(0, -1)).toEqual(ends.slice(0, -1).map(() => undefined));
      expect(ends.at(-1)).toEqual(end);
    }
  });
});

test('responses of different kinds follow each other', () => {
  const read = responseReader();
  const ends = responses.map(([, text]) => read(Buffer.from(text)));
  expect(ends).toEqual(responses.map(([, , end]) => end));
});
