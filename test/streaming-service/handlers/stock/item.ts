/** The operations of the stock. */

import type { Handlers } from '../../../../src/engine';
import { changesOf } from './changes';
import type { Dependencies } from './collections';
import type { Item, ItemOperations } from './types';

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
