/** Streams of items: what goes out together, and how they end. */

import { describe, expect, jest, test } from '@jest/globals';
import type { ItemWriter } from '../../../../src/engine/media-types/items/item-format';
import { type Items, isItems, itemStream } from '../../../../src/engine/responses/item-stream';

const lines: ItemWriter = { open: '', write: (item) => `${item}\n`, close: '' };
const framed: ItemWriter = { ...lines, open: '<', close: '>', contentType: 'a/b; c=d' };
const beating: ItemWriter = {
  ...lines,
  heartbeat: { text: ':', milliseconds: 15_000 },
  failure: '!',
};

const positive = (item: unknown, index: number): unknown => {
  if (Number(item) <= 0) throw new Error(`item /${index} must be positive`);
  return item;
};

const hurried: ItemWriter = { ...beating, heartbeat: { text: ':', milliseconds: 1 } };

const streamOf = (items: Items<unknown>, writer = lines, stopping?: AbortSignal) =>
  itemStream(items, writer, positive, stopping);

/** Reads all chunks; the error that ends them comes last. */
const chunksOf = async (stream: AsyncIterable<string | Uint8Array>): Promise<unknown[]> => {
  const chunks: unknown[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    chunks.push(Object(error).message);
  }
  return chunks;
};

/** Items that come as a test gives them. */
const given = () => {
  const waiting: ((result: IteratorResult<unknown>) => void)[] = [];
  const state = { returned: 0 };
  const items: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve) => waiting.push(resolve)),
      async return() {
        state.returned += 1;
        return { done: true, value: undefined };
      },
    }),
  };
  return {
    items,
    state,
    give: (value: unknown) => waiting.shift()?.({ done: false, value }),
  };
};

async function* failing(): AsyncGenerator<number> {
  yield 1;
  throw new Error('the source broke');
}

describe('a stream', () => {
  test.each<[string, Items<unknown>, ItemWriter, unknown[]]>([
    ['items that are there go out together', [1, 2, 3], lines, ['1\n2\n3\n']],
    ['no items', [], lines, []],
    ['no items in a format with a frame', [], framed, ['<>']],
    ['an item that does not fit', [1, 2, 0, 4], lines, ['1\n2\n', 'item /2 must be positive']],
    ['the same where the format can tell', [1, 0], beating, ['1\n!', 'item /1 must be positive']],
    ['the first item does not fit', [0], lines, ['item /0 must be positive']],
    ['a source that fails', failing(), beating, ['1\n!', 'the source broke']],
  ])('%s', async (_title, items, writer, chunks) => {
    expect(await chunksOf(streamOf(items, writer))).toEqual(chunks);
  });

  test('items and bytes are joined as bytes', async () => {
    const write = (item: unknown) => (item === 2 ? new Uint8Array([50]) : `${item}`);
    const [chunk] = await chunksOf(streamOf([1, 2, 3], { ...framed, write }));
    expect(Buffer.from(chunk as Uint8Array).toString()).toBe('<123>');
  });

  test('many items go out in chunks', async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => index + 1);
    const chunks = await chunksOf(streamOf(items));
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.join('')).toBe(`${items.join('\n')}\n`);
  });

  test('an item goes out though the next one has not come', async () => {
    const { items, give } = given();
    const stream = streamOf(items);
    const first = stream.next();
    give(1);
    expect(await first).toEqual({ done: false, value: '1\n' });
    const second = stream.next();
    give(2);
    expect(await second).toEqual({ done: false, value: '2\n' });
  });

  test('a heartbeat goes out while none comes', async () => {
    const { items, give } = given();
    const stream = streamOf(items, hurried);
    expect(await stream.next()).toEqual({ done: false, value: ':' });
    const next = stream.next();
    give(1);
    const chunks = [(await next).value];
    while (!chunks.includes('1\n')) chunks.push((await stream.next()).value);
    expect(new Set(chunks)).toEqual(new Set([...chunks.slice(0, -1), '1\n']));
  });

  test('however many heartbeats go out, nothing is added to what waits for the item', async () => {
    const asked = new Map<unknown, number>();
    const { then } = Promise.prototype;
    const watch = jest.spyOn(Promise.prototype, 'then').mockImplementation(function (
      this: Promise<unknown>,
      ...reactions
    ) {
      asked.set(this, (asked.get(this) ?? 0) + 1);
      return then.apply(this, reactions) as Promise<never>;
    });
    try {
      const { items, give } = given();
      const stream = streamOf(items, hurried);
      for (let beat = 0; beat < 20; beat += 1) expect((await stream.next()).value).toBe(':');
      give(1);
      expect(Math.max(...asked.values())).toBeLessThan(3);
    } finally {
      watch.mockRestore();
    }
  });

  test('a format with heartbeats ends when the server stops, also while an item is awaited', async () => {
    const { items, state } = given();
    const stopping = new AbortController();
    const stream = streamOf(items, beating, stopping.signal);
    const next = stream.next();
    stopping.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    await stream.return();
    await stream.return();
    expect(state.returned).toBe(1);
    const late = streamOf([1], beating, stopping.signal);
    expect(await chunksOf(late)).toEqual([]);
    expect(await chunksOf(streamOf([1], lines, stopping.signal))).toEqual(['1\n']);
  });

  test('what its source gives after the return is dropped', async () => {
    const { items, state, give } = given();
    const stream = streamOf(items);
    const next = stream.next();
    await stream.return();
    expect(state.returned).toBe(1);
    give(1);
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('the writer names the media type', () => {
    expect(streamOf([], framed).contentType).toBe('a/b; c=d');
  });
});

test.each([
  [[1], true],
  [new Set(), true],
  [failing(), true],
  ['text', false],
  [new Uint8Array(), false],
  [{}, false],
  [null, false],
])('%p are items: %p', (value, expected) => {
  expect(isItems(value)).toBe(expected);
});
