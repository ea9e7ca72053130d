/** Items of a request: the steps that they may take, and the turns that other requests get between them. */

import { describe, expect, jest, test } from '@jest/globals';
import { requestFuel, spend } from '../../../../src/base/fuel';
import { readLimits } from '../../../../src/base/read-limits';
import { eventStream } from '../../../../src/engine/media-types/items/event-stream';
import type { ItemFormat } from '../../../../src/engine/media-types/items/item-format';
import { jsonLines } from '../../../../src/engine/media-types/items/json-items';
import { BodyItems } from '../../../../src/engine/request-body/body-items';
import { HttpError } from '../../../../src/http/http-error';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Reading {
  readonly format?: ItemFormat;
  /** The steps that the check of an item takes. */
  readonly steps?: number;
  readonly size?: number;
}

const itemsOf = (text: string, { format = jsonLines, steps = 0, size = 1e9 }: Reading = {}) => {
  const reader = format.reader({ itemBytes: 2 ** 20, values: readLimits });
  const check = () => {
    spend(steps);
    return [];
  };
  const body = { pieces: inPieces(text, size), stop: () => undefined };
  return new BodyItems(body, reader, check, (item) => item, requestFuel());
};

/** Counts the items up to the end, or to the error whose place and sentence come with them. */
const readAll = async (items: BodyItems) => {
  let count = 0;
  try {
    for await (const _item of items) count += 1;
    return { count };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const [first] = error.errors;
    return { count, path: first?.path, message: first?.message };
  }
};

describe('the steps of items', () => {
  test('are one tank, so that costly ones end the body however it is cut', async () => {
    const lines = '1\n'.repeat(10_000);
    for (const size of [1e9, 1000, 1]) {
      const { count, path, message } = await readAll(itemsOf(lines, { steps: 20_000, size }));
      expect(count).toBeLessThan(40);
      expect(path).toBe(`/${count}`);
      expect(message).toMatch(/^must take at most \d+ steps to check/);
    }
  });

  test('do not run out where each item takes about what it gives', async () => {
    const lines = '{"a":1}\n'.repeat(20_000);
    expect(await readAll(itemsOf(lines, { steps: 1_100 }))).toEqual({ count: 20_000 });
    expect(await readAll(itemsOf(lines, { steps: 1_100, size: 7 }))).toEqual({ count: 20_000 });
  });

  test('cannot be saved without end', async () => {
    const lines = `${'{"a":1}\n'.repeat(50_000)}`;
    const items = itemsOf(lines);
    const iterator = items[Symbol.asyncIterator]();
    for (let count = 0; count < 49_999; count += 1) await iterator.next();
    const dear = itemsOf(lines, { steps: 3_000_001 });
    expect((await readAll(dear)).count).toBe(0);
    expect((await iterator.next()).done).toBe(false);
  });
});

test('between the items of one piece, other work gets its turns', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => ++now);
  try {
    let turns = 0;
    const count = () => {
      turns += 1;
      if (turns < 1000) setImmediate(count);
    };
    setImmediate(count);
    expect(await readAll(itemsOf('1\n'.repeat(100)))).toEqual({ count: 100 });
    expect(turns).toBeGreaterThan(10);
  } finally {
    clock.mockRestore();
  }
});

describe('bytes that are no item', () => {
  const mebibyte = 2 ** 20;
  const refusal = 'must have an item in each 1048576 bytes';
  test.each<[string, ItemFormat, string, object]>([
    ['blank lines', jsonLines, '\n'.repeat(mebibyte), { count: 0 }],
    [
      'more of them',
      jsonLines,
      '\n'.repeat(mebibyte + 1),
      { count: 0, path: '/0', message: refusal },
    ],
    [
      'more of them behind items',
      jsonLines,
      `1\n2\n${'\r\n'.repeat(mebibyte)}`,
      { count: 2, path: '/2', message: refusal },
    ],
    ['many of them between items', jsonLines, `${'\n'.repeat(600_000)}1\n`.repeat(3), { count: 3 }],
    [
      'comments',
      eventStream,
      ':\n\n'.repeat(mebibyte / 2),
      { count: 0, path: '/0', message: refusal },
    ],
    ['a long item', jsonLines, `"${'x'.repeat(mebibyte - 2)}"\n1\n`, { count: 2 }],
  ])('%s', async (_title, format, text, expected) => {
    expect(await readAll(itemsOf(text, { format }))).toEqual(expected);
  });
});
