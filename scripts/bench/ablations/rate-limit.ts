/** Without counting calls in advance: the database counts each call of a user before the response. */

import { moduleOf } from './product';

const limit = moduleOf<typeof import('../../../src/identity/rate-limit')>('identity/rate-limit');
const { tooManyRequests } = limit;

const hour = 60 * 60 * 1000;

limit.rateLimit = (counts, callsPerHour, clock) => async (userKey) => {
  const now = clock();
  const [counted] = await counts.add([`calls ${userKey}`], now, hour);
  if (counted === undefined) throw new Error('Counter update returned no row');
  if (counted.count > callsPerHour) {
    throw tooManyRequests('The calls of this hour are used up.', now, counted.expiresAt);
  }
};
