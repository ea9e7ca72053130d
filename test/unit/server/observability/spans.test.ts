/** How many traces a process begins; the spans themselves are tested with a receiver, in test/programs/telemetry.db.test.ts. */

import { expect, test } from '@jest/globals';
import { firstOfEachSecond } from '../../../../src/server/observability/spans';

test('the first requests of each second begin traces, and none is saved up', () => {
  let now = 0;
  const mayBegin = firstOfEachSecond(3, () => now);
  const begun = (): number => Array.from({ length: 10 }, mayBegin).filter(Boolean).length;
  expect(begun()).toBe(3);
  now = 999;
  expect(begun()).toBe(0);
  now = 1000;
  expect(begun()).toBe(3);
  now = 60_000;
  expect(begun()).toBe(3);
});
