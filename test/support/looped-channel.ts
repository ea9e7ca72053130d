/** A channel between a primary and a worker whose two ends are one: it answers its own questions. */

import type { Channel, RequestHandler } from '../../src/server/processes/ipc';

/** A channel that may fall silent, or close. */
export interface LoopedChannel extends Channel {
  silence(): void;
  close(): void;
}

/** Opens a channel. */
export const loopedChannel = (): LoopedChannel => {
  let isOpen = true;
  const givers = new Map<string, RequestHandler>();
  return {
    request: async (question, value) => {
      const give = givers.get(question);
      if (give === undefined) throw new Error('Silence');
      return JSON.parse(JSON.stringify(await give(value)));
    },
    handle: (question, give) => {
      givers.set(question, give);
    },
    isOpen: () => isOpen,
    silence: () => givers.clear(),
    close() {
      givers.clear();
      isOpen = false;
    },
  };
};
