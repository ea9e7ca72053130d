/** The two ends of a channel between processes; what one sends the other receives in a microtask, as JSON. */

import { EventEmitter } from 'node:events';
import type { ProcessEnd } from '../../../../src/server/processes/ipc';

/** One end, as a process has it. */
export type End = EventEmitter & ProcessEnd;

/** Ends that are connected until the channel is cut. */
export interface Ends {
  readonly ends: readonly [End, End];
  cut: boolean;
}

/** Connects two ends. */
export const connectedEnds = (): Ends => {
  const endOf = (other: () => EventEmitter): End =>
    Object.assign(new EventEmitter(), {
      send: (message: object, done: (error: Error | null) => void): boolean => {
        const text = JSON.stringify(message);
        queueMicrotask(() => {
          if (made.cut) return done(new Error('The channel is closed'));
          done(null);
          other().emit('message', JSON.parse(text));
        });
        return !made.cut;
      },
    });
  const made: Ends = { ends: [endOf(() => made.ends[1]), endOf(() => made.ends[0])], cut: false };
  return made;
};
