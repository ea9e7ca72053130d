import { expect, test } from '@jest/globals';
import { joinInSteps, mapInSteps, runInSteps } from '../../../src/base/run-in-steps';

function* counted(done: number[], onStep: (step: number) => void = () => undefined) {
  for (let step = 1; step <= 5; step += 1) {
    done.push(step);
    onStep(step);
    yield;
  }
}

test('does nothing before its caller has gone on, and then every step', async () => {
  const done: number[] = [];
  const all = runInSteps(counted(done), undefined);
  expect(done).toEqual([]);
  await all;
  expect(done).toEqual([1, 2, 3, 4, 5]);
});

test('stops where it is told to', async () => {
  const stopping = new AbortController();
  const done: number[] = [];
  const stopAtTwo = (step: number): void => {
    if (step === 2) stopping.abort();
  };
  await runInSteps(counted(done, stopAtTwo), stopping.signal);
  expect(done).toEqual([1, 2]);
});

test('maps in order, one item after the other, and rejects with what the computation throws', async () => {
  expect(await mapInSteps([1, 2, 3], (item) => item * 2)).toEqual([2, 4, 6]);
  const fail = (): never => {
    throw new Error('No such item');
  };
  await expect(mapInSteps([1], fail)).rejects.toThrow('No such item');
});

test('joins texts', async () => {
  expect(await joinInSteps(['a', '', 'b'])).toBe('ab');
});
