/** Slow answers and failures of mocks: as many as are asked for, the same for the same seed, and none without the options. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/engine';
import { compileConditions, type MockOptions, pause } from '../../../src/mock/conditions';
import { openApiFetch } from '../../../src/package/fetch';

const notes = parseApiDocument(
  'notes.yaml',
  readFileSync(join(__dirname, 'conditions.yaml'), 'utf8'),
  {},
);

const open = async (mocks: true | MockOptions, seed = 1) => {
  const answer = await openApiFetch(notes, {}, {}, { mocks, memory: { seed } });
  return (method: string, path: string, more: RequestInit = {}) =>
    answer(new Request(`http://test/v1${path}`, { method, ...more }));
};

const note = { headers: { 'Content-Type': 'application/json' }, body: '{"text":"a"}' };

/** Adds as many notes, and returns the statuses. */
const statusesOf = async (ask: Awaited<ReturnType<typeof open>>, times: number) => {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) {
    statuses.push((await ask('POST', '/notes', note)).status);
  }
  return statuses;
};

describe('faults', () => {
  test('are so many of the requests, each a declared failure, again after a reset and in the next run', async () => {
    const ask = await open({ faults: 0.5 }, 7);
    const first = await statusesOf(ask, 60);
    expect(new Set(first)).toEqual(new Set([201, 429, 500, 503]));
    expect(first.filter((status) => status !== 201).length).toBeGreaterThan(15);
    expect(first.filter((status) => status === 201).length).toBeGreaterThan(15);
    await ask('DELETE', '/__state');
    expect(await statusesOf(ask, 60)).toEqual(first);
    expect(await statusesOf(await open({ faults: 0.5 }, 7), 60)).toEqual(first);
    expect(await statusesOf(await open({ faults: 0.5 }, 8), 60)).not.toEqual(first);
  });

  test('have what is declared for them, are marked, and leave the memory as it is', async () => {
    const ask = await open({ faults: 1 });
    const before = await (await ask('GET', '/notes')).text();
    const answers = [];
    for (let count = 0; count < 20; count += 1) answers.push(await ask('POST', '/notes', note));
    const busy = answers.find(({ status }) => status === 503);
    expect(busy && Object.fromEntries(busy.headers)).toMatchObject({
      'retry-after': '3',
      'x-mock': 'fault',
    });
    expect(await busy?.json()).toEqual({ message: 'Busy' });
    expect(await (await ask('GET', '/notes')).text()).toBe(before);
  });

  test('are none where none is declared, where another answer is asked for, and for wrong requests', async () => {
    const ask = await open({ faults: 1 });
    const read = await ask('GET', '/notes/1');
    const headers = { ...note.headers, Prefer: 'code=201' };
    const asked = await ask('POST', '/notes', { ...note, headers });
    const wrong = await ask('POST', '/notes', { ...note, body: '{}' });
    expect([read.status, asked.status, wrong.status]).toEqual([200, 201, 400]);
  });
});

describe('delays', () => {
  const [operation] = notes.operations;

  test('lie between the least and the most, the same for the same seed', () => {
    const times = (delay: NonNullable<MockOptions['delay']>, seed: number) => {
      const { next } = compileConditions({ delay }, seed);
      return Array.from({ length: 300 }, () => operation && next(operation).milliseconds);
    };
    expect(new Set(times(200, 1))).toEqual(new Set([200]));
    expect(new Set(times([3, 5], 1))).toEqual(new Set([3, 4, 5]));
    expect(times([100, 800], 2)).toEqual(times([100, 800], 2));
    expect(times([100, 800], 2)).not.toEqual(times([100, 800], 3));
  });

  test('hold the head of an answer back', async () => {
    const ask = await open({ delay: 60_000 });
    const leaving = new AbortController();
    const adding = ask('POST', '/notes', { ...note, signal: leaving.signal });
    const manyTurns = async (): Promise<string> => {
      for (let turn = 0; turn < 200; turn += 1) await setImmediate();
      return 'no answer';
    };
    expect(await Promise.race([adding, manyTurns()])).toBe('no answer');
    leaving.abort();
    expect((await adding).status).toBe(201);
  });

  test('are at most what the caller waits', async () => {
    const ask = await open({ delay: 60_000 });
    const read = await ask('GET', '/notes', { headers: { Prefer: 'wait=0' } });
    expect([read.status, read.headers.get('preference-applied')]).toEqual([200, 'wait=0']);
  });

  test('end when the caller leaves', async () => {
    const leaving = new AbortController();
    const paused = pause(60_000, leaving);
    leaving.abort();
    await expect(paused).resolves.toBeUndefined();
    await expect(pause(60_000, leaving)).resolves.toBeUndefined();
  });

  test('a server that is left says nothing of it', async () => {
    const error = jest.fn();
    const answer = await openApiFetch(notes, {}, {}, { mocks: { delay: 60_000 }, log: { error } });
    const signal = AbortSignal.timeout(20);
    await answer(new Request('http://test/v1/notes', { signal }));
    expect(error).not.toHaveBeenCalled();
  });
});

test.each([
  [
    { delay: -1 },
    /^The option delay of mocks must be whole milliseconds up to 60000, or \[least, most\], not -1$/,
  ],
  [{ delay: [5, 2] }, /not 5,2$/],
  [{ delay: [1, 2, 3] }, /not 1,2,3$/],
  [{ delay: 60_001 }, /not 60001$/],
  [{ delay: '200' }, /not 200$/],
  [{ delay: null }, /not null$/],
  [{ faults: 5 }, /^The option faults of mocks must be a number from 0 to 1, not 5$/],
  [{ faults: Number.NaN }, /not NaN$/],
  [{ faults: '5%' }, /not 5%$/],
  [{ delays: 5 }, /^There is no option of mocks delays. Did you mean delay\?$/],
])('%j cannot be used', async (mocks, message) => {
  await expect(openApiFetch(notes, {}, {}, { mocks: mocks as MockOptions })).rejects.toThrow(
    message,
  );
});

test('a file for what mocks remember is refused with what there is instead', async () => {
  const memory = { seed: 1, file: 'state.json' };
  const sentence = 'The option memory has no file: mocks remember until the process ends.';
  await expect(openApiFetch(notes, {}, {}, { mocks: true, memory })).rejects.toThrow(sentence);
});
