/** The last changes of this process, for those who watch, and for those who come back. */

import { EventEmitter, on } from 'node:events';
import type { Item } from './types';

/** A changed item, numbered. */
interface Change {
  readonly id: string;
  readonly event: 'change';
  readonly data: Item;
}

const most = 1000;

/** Makes the list of changes. */
export const changesOf = () => {
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
