/** The operations of the stock. */

import { EventEmitter, on } from 'node:events';
import type { Handlers } from '../../../../src/engine';
import type { Dependencies } from './collections';
import type { Item, ItemOperations } from './types';

/** A changed item, numbered. */
interface Change {
  readonly id: string;
  readonly event: 'change';
  readonly data: Item;
}

const most = 1000;

/** Makes the list of changes. */
const changesOf = () => {
  const emitter = new EventEmitter().setMaxListeners(0);
  const kept: Change[] = [];
  let count = 0;
  return {
    add(data: Item): void {
      count += 1;
      const change: Change = { id: String(count), event: 'change', data };
      if (kept.push(change) > most) kept.shift();
      emitter.emit('change', change);
    },
    /** Gives the kept changes after a number, and then each as it happens. */
    async *since(last: number, signal: AbortSignal): AsyncGenerator<Change> {
      const later = on(emitter, 'change', { signal });
      yield* kept.filter(({ id }) => Number(id) > last);
      for await (const [change] of later) yield change;
    },
    now: () => count,
  };
};

/** Items that are added together. */
const batchSize = 1000;

export const itemHandlers = ({ items }: Dependencies): Handlers<ItemOperations> => {
  const changes = changesOf();
  const addAll = (batch: readonly Item[]) => Promise.all(batch.map((item) => items.insert(item)));
  return {
    searchItems: ({ body }) => ({ status: 200, body: items.find('place', body.places) }),

    async importItems({ body }) {
      let batch: Item[] = [];
      let added = 0;
      for await (const item of body) {
        if (batch.push(item) < batchSize) continue;
        await addAll(batch);
        added += batch.length;
        batch = [];
      }
      await addAll(batch);
      return { status: 200, body: { added: added + batch.length } };
    },

    async countItem({ path, body, fail }) {
      const item = await items.update(path.id, (old) => ({ ...old, count: body.count }));
      if (!item) throw fail(404);
      changes.add(item.read());
      return { status: 200, body: item };
    },

    watchItems: ({ header, client }) => ({
      status: 200,
      body: changes.since(header['Last-Event-ID'] ?? changes.now(), client.signal),
    }),
  };
};
