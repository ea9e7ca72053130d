/** Requests that have been read and wait for their turn: by rank, and in each in the order of their arrival. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { controlledDelay } from '../../base/controlled-delay';
import { type Admission, ranks } from './admission';

/** A request that waits. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When it was read; milliseconds of the clock. */
  readonly since: number;
}

/** A queue that does not grow old: see controlled-delay.ts. */
export interface RequestQueue {
  add(request: IncomingMessage, response: ServerResponse): void;
  /** How many wait. */
  size(): number;
  /** Takes those whose turn it is, and refuses those that have waited for too long. */
  take(most: number): readonly Arrival[];
}

/** The line of one rank. */
const newLine = (clock: () => number) => {
  const delay = controlledDelay(clock);
  const waiting: Arrival[] = [];
  return {
    add(arrival: Arrival): void {
      waiting.push(arrival);
    },
    takeLate(): readonly Arrival[] {
      const [oldest] = waiting;
      if (oldest !== undefined) delay.observe(clock() - oldest.since);
      const inTime = waiting.findIndex(({ since }) => !delay.isLate(since));
      return waiting.splice(0, inTime < 0 ? waiting.length : inTime);
    },
    take(most: number): readonly Arrival[] {
      const taken = waiting.splice(0, most);
      if (waiting.length === 0) delay.observe(0);
      return taken;
    },
    emptied: () => delay.observe(0),
  };
};

/**
 * Makes an empty queue.
 *
 * @param admission - without one all requests have the same rank, and none is refused
 * @param clock - milliseconds that never run backwards
 */
export const requestQueue = (
  admission: Admission | undefined,
  clock: () => number = () => performance.now(),
): RequestQueue => {
  const lines = ranks.map((rank) => ({ rank, ...newLine(clock) }));
  /** Not ranked yet: that takes time, and is needed only where some have to wait for others. */
  let arrived: Arrival[] = [];
  let ranked = 0;

  const takeAll = (): readonly Arrival[] => {
    const all = arrived;
    arrived = [];
    for (const line of lines) line.emptied();
    return all;
  };

  const rankArrived = ({ rankOf }: Admission): void => {
    for (const arrival of arrived) lines[ranks.indexOf(rankOf(arrival.request))]?.add(arrival);
    ranked += arrived.length;
    arrived = [];
  };

  const refuseLate = ({ refuse }: Admission): void => {
    for (const { rank, takeLate } of lines) {
      if (rank === 'health') continue;
      const late = takeLate();
      ranked -= late.length;
      for (const { request, response } of late) refuse(request, response, rank);
    }
  };

  const takeByRank = (most: number): readonly Arrival[] => {
    const taken: Arrival[] = [];
    for (const line of lines) taken.push(...line.take(most - taken.length));
    ranked -= taken.length;
    return taken;
  };

  return {
    add(request, response) {
      arrived.push({ request, response, since: clock() });
    },
    size: () => arrived.length + ranked,
    take(most) {
      if (ranked === 0 && arrived.length <= most) return takeAll();
      if (admission === undefined) return arrived.splice(0, most);
      rankArrived(admission);
      refuseLate(admission);
      return takeByRank(most);
    },
  };
};
