/** Contents that are sent item by item (OAS 3.2.0, Sequential Media Types): no faster than the caller reads, and checked one by one. */

import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { LiveStream } from '../../http/send';
import type { ItemWriter } from '../media-types/items/item-format';

/** Items that come one by one. */
export type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** Tells whether a value is a sequence of items; a text and bytes are none. */
export const isItems = (value: unknown): value is Items<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Uint8Array) &&
  (Symbol.asyncIterator in value || Symbol.iterator in value);

/** Characters or bytes. Items that are there together are sent together, up to this. */
const chunkLength = 16 * 1024;

type Chunk = string | Uint8Array;
type Arrival = IteratorResult<unknown> | 'nothing';

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** The items that are still to come. A source of events begins at once, before the first is asked for, so that none is missed. */
class ItemSource {
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  readonly #stopping: AbortSignal | undefined;
  #isAsked = false;
  /** Gives the item that has come; undefined while none has. */
  #arrived: (() => Arrival) | undefined;
  #isOver = false;
  /** Ends the present wait for an item. */
  wake: () => void = () => undefined;

  /** @param stopping ends the items */
  constructor(items: Items<unknown>, stopping: AbortSignal | undefined) {
    this.#iterator =
      Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.#stopping = stopping;
    if (stopping === undefined) return;
    // Every event stream waits for it.
    setMaxListeners(0, stopping);
    stopping.addEventListener('abort', this.#stop);
  }

  readonly #stop = (): void => this.wake();

  /** Asks for an item, once however often it is then waited for: reactions to a promise stay in memory until it is settled. */
  async #ask(): Promise<void> {
    this.#isAsked = true;
    try {
      const result = await this.#iterator.next();
      this.#arrived = () => (this.#isOver ? over : result);
    } catch (error) {
      this.#arrived = () => {
        throw error;
      };
    }
    this.wake();
  }

  /** Resolves to the next item, or to `nothing` where `wake` is called before it comes. */
  async next(): Promise<Arrival> {
    if (this.#stopping?.aborted) return over;
    if (!this.#isAsked) void this.#ask();
    if (this.#arrived === undefined) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.#stopping?.aborted) return over;
    const arrived = this.#arrived;
    if (arrived === undefined) return 'nothing';
    this.#isAsked = false;
    this.#arrived = undefined;
    return arrived();
  }

  /** Resolves as `next` does, and to `nothing` after the time. */
  async nextWithin(milliseconds: number): Promise<Arrival> {
    const timer = setTimeout(() => this.wake(), milliseconds).unref();
    return this.next().finally(() => clearTimeout(timer));
  }

  /** Ends the source at once, even while an item is awaited; does nothing the second time. */
  async return(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopping?.removeEventListener('abort', this.#stop);
    await this.#iterator.return?.();
  }
}

const joined = (one: Chunk, other: Chunk): Chunk => {
  if (one.length === 0) return other;
  if (typeof one === 'string' && typeof other === 'string') return one + other;
  return Buffer.concat(
    [one, other].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  );
};

/** Returns an item as it is written; throws where it does not fit its schema. */
type CheckItem = (item: unknown, index: number) => unknown;

async function* chunksOf(
  source: ItemSource,
  { open, write, close, heartbeat, failure }: ItemWriter,
  check: CheckItem,
): AsyncGenerator<Chunk, undefined> {
  let chunk: Chunk = open;
  let count = 0;
  const add = (item: unknown): void => {
    const checked = check(item, count);
    count += 1;
    chunk = joined(chunk, write(checked));
  };
  /** Adds the next item, or a heartbeat; resolves to whether there are no more. */
  const begin = async (): Promise<boolean> => {
    const arrival = await (heartbeat === undefined
      ? source.next()
      : source.nextWithin(heartbeat.milliseconds));
    if (arrival === 'nothing') chunk = heartbeat?.text ?? '';
    else if (!arrival.done) add(arrival.value);
    return arrival !== 'nothing' && arrival.done === true;
  };
  /** Adds the items that are there, until the turn of the event loop is over; resolves to whether there are no more. */
  const gather = async (): Promise<boolean> => {
    let isOver = false;
    const turn = setImmediate().then(() => {
      isOver = true;
      source.wake();
    });
    while (chunk.length < chunkLength && !isOver) {
      const arrival = await source.next();
      if (arrival === 'nothing') return false;
      if (arrival.done) return true;
      add(arrival.value);
    }
    // A source and a caller that are always ready would leave no turn to other requests.
    await turn;
    return false;
  };
  /** Takes what is to be sent, with something behind it. */
  function* take(behind = ''): Generator<Chunk> {
    const ready = joined(chunk, behind);
    chunk = '';
    if (ready.length > 0) yield ready;
  }
  try {
    while (!((chunk.length === 0 && (await begin())) || (await gather()))) yield* take();
    yield* take(close);
  } catch (error) {
    yield* take(failure);
    throw error;
  }
}

/**
 * Makes the stream of items. One that does not fit ends it with an error, before which goes out what the format has to say so.
 * @param stopping aborts when the server stops. Readers of a format with heartbeats come again, so that it ends then; another goes on
 */
export const itemStream = (
  items: Items<unknown>,
  writer: ItemWriter,
  check: CheckItem,
  stopping?: AbortSignal,
): LiveStream => {
  const source = new ItemSource(items, writer.heartbeat && stopping);
  const chunks = chunksOf(source, writer, check);
  return {
    isLive: true,
    contentType: writer.contentType,
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => chunks.next(),
    return: () => source.return().then(() => over),
  };
};
