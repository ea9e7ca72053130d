/** Parts come out whole however the body is cut into chunks. */

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../src/base/malformed-text';
import { partSplitter } from '../../../../../src/engine/media-types/multipart/split-parts';

const boundary = 'limit';

interface Sent {
  readonly name: string;
  readonly value: Buffer;
}

const bodyOf = (parts: readonly Sent[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, value }) => [
      Buffer.from(`--${boundary}\r\nX-Name: ${name}\r\n\r\n`),
      value,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--`),
  ]);

/** The parts that come out of the chunks. */
const split = (chunks: readonly Uint8Array[]): Sent[] => {
  const { read, end } = partSplitter(boundary, (headers) => {
    const pieces: Uint8Array[] = [];
    return {
      write: (bytes) => pieces.push(bytes),
      end: () => ({ name: headers['x-name']?.[0]?.trim() ?? '', value: Buffer.concat(pieces) }),
    };
  });
  const parts = chunks.flatMap((chunk) => [...read(chunk)]);
  end();
  return parts;
};

const inChunks = (body: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  );

const small: Sent[] = [
  { name: 'empty', value: Buffer.alloc(0) },
  { name: 'almost', value: Buffer.from(`\r\n--limi\r\n--${boundary.slice(1)}\r`) },
  { name: 'ends', value: Buffer.from('\r\n\r\n\r\n') },
  { name: 'bytes', value: Buffer.from(Uint8Array.from({ length: 256 }, (_, index) => index)) },
  { name: 'last', value: Buffer.from('-') },
];

describe('a small body', () => {
  const body = bodyOf(small);

  test('cut in two anywhere', () => {
    for (let cut = 0; cut <= body.length; cut += 1) {
      expect(split([body.subarray(0, cut), body.subarray(cut)])).toEqual(small);
    }
  });

  test.each([1, 2, 3, 4, 5, 7, 11, 64])('in chunks of %d bytes', (size) => {
    expect(split(inChunks(body, size))).toEqual(small);
  });

  test('cut off anywhere', () => {
    for (let cut = 0; cut < body.length; cut += 1) {
      expect(() => split([body.subarray(0, cut)])).toThrow(MalformedText);
    }
  });
});

test.each([1000, 16_384, 65_536, 1_000_000])('large parts in chunks of %d bytes', (size) => {
  const large = [0, 15_000, 16_384, 300_000, 1, 70_000].map((length, index) => ({
    name: String(index),
    value: Buffer.alloc(length, `${index}\r\n--`),
  }));
  const parts = split(inChunks(bodyOf(large), size));
  // Byte by byte, Jest would take seconds.
  expect(isDeepStrictEqual(parts, large)).toBe(true);
});

/** A splitter that drops all parts. */
const dropping = (given: string | undefined) =>
  partSplitter(given, () => ({ write: () => undefined, end: () => undefined }));

test('the headers of a part may lack a body, and its body headers', () => {
  const heads: object[] = [];
  const { read, end } = partSplitter(boundary, (headers) => {
    heads.push(headers);
    return { write: () => heads.push([]), end: () => undefined };
  });
  const delimiter = `\r\n--${boundary}`;
  for (const byte of Buffer.from(`${delimiter}\r\nA: b\r\n${delimiter} \t\r\n${delimiter}--`)) {
    expect([...read(Uint8Array.of(byte))].length).toBeLessThan(2);
  }
  end();
  expect(heads).toEqual([{ a: [' b'] }, {}]);
});

test.each([
  ['a line feed alone', 'A: b\nC: d\r\n\r\n'],
  ['a carriage return alone', 'A: b\rC: d\r\n\r\n'],
  ['no colon', 'A\r\n\r\n'],
  ['a delimiter', `A: b\r\n--${boundary}--`],
  ['no end', 'A: b\r\n'.repeat(2000)],
])('headers are refused: %s', (_, head) => {
  const { read } = dropping(boundary);
  expect(() => [...read(Buffer.from(`--${boundary}\r\n${head}`))]).toThrow(MalformedText);
});

test('no more is held than a delimiter or the headers of a part may have', () => {
  const splitter = dropping(boundary);
  const most = (text: string): number =>
    inChunks(Buffer.from(text), 1000).reduce((held, chunk) => {
      expect([...splitter.read(chunk)].length).toBeLessThan(2);
      return Math.max(held, splitter.pendingBytes);
    }, 0);
  const large = '\r\n--'.repeat(100_000);
  expect(most(large)).toBeLessThan(10);
  expect(most(`\r\n--${boundary}\r\nA: ${'b'.repeat(8000)}`)).toBeLessThan(8100);
  expect(most(`\r\n\r\n${large}`)).toBeLessThan(10);
  expect(most(`\r\n--${boundary}--${large}`)).toBeLessThan(10);
  splitter.end();
});

test.each([undefined, '', 'b'.repeat(71)])('no boundary: %s', (given) => {
  expect(() => dropping(given)).toThrow(MalformedText);
});
