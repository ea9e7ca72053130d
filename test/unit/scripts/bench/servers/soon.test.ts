/** Values that one database gives at once and another one later. */

import { expect, test } from '@jest/globals';
import { whenThere } from '../../../../../scripts/bench/servers/soon';

test('goes on at once where the value is there', () => {
  expect(whenThere(2, (value) => value + 1)).toBe(3);
  expect(() =>
    whenThere(2, () => {
      throw new Error('at once');
    }),
  ).toThrow('at once');
});

test('goes on later where the value comes later', async () => {
  const later = whenThere(Promise.resolve(2), (value) => value + 1);
  expect(later).toBeInstanceOf(Promise);
  await expect(later).resolves.toBe(3);
});
