import { expect, test } from '@jest/globals';
import { runInSteps } from '../../../../src/engine/lang/run-in-steps';

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
