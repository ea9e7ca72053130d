/** Parts come out whole however the body is cut into chunks. */

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../src/base/malformed-text';
import { splitParts } from '../../../../../src/engine/media-types/multipart/split-parts';

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

const nameOf = (headers: object): unknown => Object.values(headers).flat()[0];

/** The parts that come out of the chunks. */
const split = (chunks: readonly Uint8Array[]): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    const parts: unknown[] = [];
    const splitter = splitParts(boundary, {
      open: (headers) => {
        const pieces: Uint8Array[] = [];
        return {
          write: (bytes) => pieces.push(bytes),
          end: () => parts.push({ name: nameOf(headers), value: Buffer.concat(pieces) }),
        };
      },
      done: () => resolve(parts),
      fail: reject,
    });
    for (const chunk of chunks) splitter.write(chunk);
    splitter.end();
  });

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

  test('cut in two anywhere', async () => {
    for (let cut = 0; cut <= body.length; cut += 1) {
      expect(await split([body.subarray(0, cut), body.subarray(cut)])).toEqual(small);
    }
  });

  test.each([1, 2, 3, 4, 5, 7, 11, 64])('in chunks of %d bytes', async (size) => {
    expect(await split(inChunks(body, size))).toEqual(small);
  });

  test('cut off anywhere', async () => {
    for (let cut = 0; cut < body.length; cut += 1) {
      await expect(split([body.subarray(0, cut)])).rejects.toThrow(MalformedText);
    }
  });
});

test.each([1000, 16_384, 65_536, 1_000_000])('large parts in chunks of %d bytes', async (size) => {
  const large = [0, 15_000, 16_384, 300_000, 1, 70_000].map((length, index) => ({
    name: String(index),
    value: Buffer.alloc(length, `${index}\r\n--`),
  }));
  const parts = await split(inChunks(bodyOf(large), size));
  // Byte by byte, Jest would take seconds.
  expect(isDeepStrictEqual(parts, large)).toBe(true);
});

test('what a part throws fails the body', async () => {
  const fault = new Error('no');
  const failing = new Promise((resolve, reject) => {
    const splitter = splitParts(boundary, {
      open: () => {
        throw fault;
      },
      done: () => resolve(undefined),
      fail: reject,
    });
    splitter.write(bodyOf(small));
    splitter.end();
  });
  await expect(failing).rejects.toBe(fault);
});

test.each([undefined, '', 'b'.repeat(71)])('no boundary: %s', (given) => {
  const receiver = { open: () => ({ write: () => 0, end: () => 0 }), done: () => 0, fail: () => 0 };
  expect(() => splitParts(given, receiver)).toThrow(MalformedText);
});
