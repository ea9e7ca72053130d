/** Enforces how many calls a user may make in an hour (the X-Rate-Limit that a login announces). */

import type { EventCountStorage } from '../storage/event-counts';
import { tooManyRequests } from './too-many-requests';

/** Counts one call of the user with that key. Throws HttpError 429 beyond the limit. */
export type CountCall = (userKey: number) => Promise<void>;

const hour = 60 * 60 * 1000;

/** Makes the counter; an hour begins with the first call in it. */
export const callLimit =
  (counts: EventCountStorage, callsPerHour: number, clock: () => number): CountCall =>
  async (userKey) => {
    const now = clock();
    const [count] = await counts.add([`calls ${userKey}`], now, hour);
    if (count && count.count > callsPerHour) {
      throw tooManyRequests('The calls allowed per hour are used up.', now, count.expiresAt);
    }
  };
