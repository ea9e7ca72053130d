/** One tank bounds all that is done for one message. */

import { describe, expect, test } from '@jest/globals';
import {
  addFuel,
  answerOnce,
  currentFuel,
  drawFrom,
  FuelExhausted,
  itemFuel,
  makeFuel,
  refuel,
  requestFuel,
  spend,
} from '../../../src/base/fuel';

test('steps are taken from the tank that is being drawn from, also where something throws', () => {
  const [outer, inner] = [makeFuel(10), makeFuel(5)];
  drawFrom(outer, () => {
    spend();
    expect(() => drawFrom(inner, () => spend(6))).toThrow(FuelExhausted);
    spend(2);
  });
  expect([outer.left, inner.left, currentFuel()]).toEqual([7, -1, undefined]);
});

test('outside of messages nothing is counted', () => {
  expect(() => spend(1e9)).not.toThrow();
});

test('what is used up stays so', () => {
  const fuel = makeFuel(1);
  expect(() => drawFrom(fuel, () => spend(2))).toThrow('must take at most 1 steps');
  expect(() => drawFrom(fuel, () => spend())).toThrow(FuelExhausted);
});

test('a body adds steps by its size, up to a bound', () => {
  const [small, large] = [requestFuel(), requestFuel()];
  const { capacity } = requestFuel();
  drawFrom(small, () => spend(10));
  addFuel(small, 100);
  addFuel(large, 2 ** 30);
  addFuel(large, 2 ** 30);
  expect(small.capacity - small.left).toBe(10);
  expect(small.capacity).toBeGreaterThan(capacity);
  expect(large.left).toBe(large.capacity);
  expect(large.capacity).toBeLessThan(10_000_000);
});

test('an item of a body has what those before it left, and adds its own', () => {
  const fuel = requestFuel();
  drawFrom(fuel, () => spend(fuel.capacity - 10));
  refuel(fuel, 100);
  const item = itemFuel(fuel);
  expect([item.left, item.capacity]).toEqual([3_010, 3_010]);
  refuel(item, 2 ** 30);
  expect(itemFuel(item).left).toBe(3_000_000);
});

describe('a question about an object', () => {
  const asked = (first: number) => {
    const [question, value] = [{}, {}];
    let count = 0;
    const ask = () => answerOnce(question, value, () => ++count);
    return drawFrom(makeFuel(10_000), () => {
      spend(first);
      return [ask(), ask(), answerOnce({}, value, () => ++count)];
    });
  };

  test('is asked again where few steps have been taken', () => {
    expect(asked(0)).toEqual([1, 2, 3]);
  });

  test('is answered once where many have, and others are not mistaken for it', () => {
    expect(asked(5_000)).toEqual([1, 1, 2]);
  });
});
