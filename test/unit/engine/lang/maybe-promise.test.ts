/** What is there is used at once, and what is not is waited for. */

import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import {
  andThen,
  isPromise,
  type MaybePromise,
  orCatch,
} from '../../../../src/engine/lang/maybe-promise';

const withThen = (then: unknown): object => Object.fromEntries([['then', then]]);

test.each<[string, unknown, boolean]>([
  ['a promise', Promise.resolve(1), true],
  ['a promise of another realm', runInNewContext('Promise.resolve(1)'), true],
  ['what can be awaited', withThen((next: (value: number) => void) => next(1)), true],
  ['an object that has a member of that name', withThen('later'), false],
  ['a number', 1, false],
  ['nothing', undefined, false],
  ['null', null, false],
])('%s', (_title, value, wanted) => {
  expect(isPromise(value)).toBe(wanted);
});

test('goes on in the same turn where the value is there', () => {
  expect(andThen(1, (value) => value + 1)).toBe(2);
});

test('goes on later where it is not', async () => {
  const later = andThen(Promise.resolve(1) as MaybePromise<number>, (value) => value + 1);
  expect(isPromise(later)).toBe(true);
  expect(await later).toBe(2);
});

test.each<[string, MaybePromise<number>]>([
  ['at once', 1],
  ['later', Promise.resolve(1)],
])('what the next step throws comes out: %s', async (_title, value) => {
  const next = (): number => {
    throw new Error('no');
  };
  await expect(async () => andThen(value, next)).rejects.toThrow('no');
});

const fail = (): never => {
  throw new Error('no');
};

test.each<[string, () => MaybePromise<number>]>([
  ['at once', fail],
  ['later', async () => fail()],
  ['after a step', () => andThen(1, fail)],
  ['later, after a step', () => andThen(Promise.resolve(1), fail)],
])('what fails is recovered from: %s', async (_title, work) => {
  expect(await orCatch(work, (error) => (error instanceof Error ? error.message.length : 0))).toBe(
    2,
  );
  await expect(async () => orCatch(work, fail)).rejects.toThrow('no');
});

test('what does not fail is given as it is', async () => {
  expect(orCatch(() => 1, fail)).toBe(1);
  expect(await orCatch(async () => 1, fail)).toBe(1);
});

test('what fails at once is recovered from in the same turn', () => {
  expect(orCatch(fail, () => 3)).toBe(3);
});
