/** Choices by chance. */

import { expect, test } from '@jest/globals';
import { type DatabaseKind, planFaults } from '../../../../scripts/crash-test/faults';
import { randomOf } from '../../../../scripts/machine/random';

const drawn = (seed: number) => {
  const random = randomOf(seed, 'round', 3);
  const plan = planFaults(random, 1.5, 'server');
  return { plan, numbers: [random.below(1000), random.below(1000)], bytes: random.bytes(9) };
};

test('the same seed gives the same choices, another one others', () => {
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
  expect(drawn(1).bytes).toHaveLength(9);
});

const plans = (kind: DatabaseKind) =>
  Array.from({ length: 300 }, (_, seed) => planFaults(randomOf(seed), 2, kind));

test.each<[DatabaseKind, string[]]>([
  ['file', ['primary', 'program', 'worker']],
  ['pair', ['failover']],
  ['server', ['backend', 'database', 'everything', 'primary', 'program', 'unconfirmed', 'worker']],
])('with a database that is a %s, every kind of fault comes', (kind, names) => {
  const found = new Set(plans(kind).flatMap((plan) => plan.map(({ name }) => name)));
  expect([...found].sort()).toEqual(names);
});

test('the first fault comes during the load, later ones after it, and now and then there are several', () => {
  const all = plans('server');
  for (const [first, ...more] of all) {
    expect(first?.at).toBeGreaterThanOrEqual(600);
    expect(first?.at).toBeLessThan(2000);
    for (const { at } of more) expect(at).toBeGreaterThan(first?.at ?? 0);
  }
  expect(new Set(all.map(({ length }) => length))).toEqual(new Set([1, 2, 3, 4]));
});
