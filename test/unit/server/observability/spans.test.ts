/** How many traces a process begins; the spans themselves are tested with a receiver, in test/end-to-end/telemetry.db.test.ts. */

import { expect, test } from '@jest/globals';
import { upTo } from '../../../../src/server/observability/spans';

test('a busy second begins so many traces and no more; an idle one saves none up', () => {
  let now = 0;
  const mayBegin = upTo(3, () => now);
  const begun = (): number => Array.from({ length: 10 }, mayBegin).filter(Boolean).length;
  expect(begun()).toBe(3);
  expect(begun()).toBe(0);
  now += 340;
  expect(begun()).toBe(1);
  now += 60_000;
  expect(begun()).toBe(3);
});
