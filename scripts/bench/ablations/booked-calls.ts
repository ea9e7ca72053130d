/** Without booking calls in advance: the database counts each call of a user before it is answered. */

import { countRun, moduleOf } from './product';

const { tooManyRequests } = moduleOf<typeof import('../../../src/server/identity/rate-limit')>(
  'server/identity/rate-limit',
);

const hour = 60 * 60 * 1000;

moduleOf<typeof import('../../../src/server/identity/rate-limit')>(
  'server/identity/rate-limit',
).rateLimit = (counts, callsPerHour, clock) => async (userKey) => {
  countRun();
  const now = clock();
  const [counted] = await counts.add([`calls ${userKey}`], now, hour);
  if (counted === undefined) throw new Error('The database did not count');
  if (counted.count > callsPerHour) {
    throw tooManyRequests('The calls of this hour are used up.', now, counted.expiresAt);
  }
};
