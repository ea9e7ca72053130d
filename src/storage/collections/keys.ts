/** Keys of items without a number. */

import { randomInt } from 'node:crypto';
import type { Ids } from './ids';

const randomBits = 22n;

/** The key that this process made last. */
let last = 0n;

/** 41 bits of milliseconds since 1970 and 22 random ones: no counter to lock, and a place at the end of the table. */
export const newKey = (): bigint => {
  const key = (BigInt(Date.now()) << randomBits) | BigInt(randomInt(2 ** 22));
  last = key > last ? key : last + 1n;
  return last;
};

/** A key is taken anew in the unlikely case that it is in use. */
export const unnumberedIds: Ids = {
  lock: '',
  start: async () => true,
  async insert(_trx, _given, insert) {
    let key = newKey();
    while (!(await insert(key))) key = newKey();
    return key;
  },
  hasPassed: async () => true,
  retire: async () => undefined,
  giveUp: async () => undefined,
};
