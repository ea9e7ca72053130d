import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Channel, openChannel } from '../../../../src/server/processes/ipc';
import { connectedEnds, type Ends } from './channel-ends';

let connected: Ends;
let here: Channel;
let there: Channel;
beforeEach(() => {
  connected = connectedEnds();
  [here, there] = [openChannel(connected.ends[0]), openChannel(connected.ends[1])];
});

describe('a request', () => {
  test.each<[string, (value: unknown) => unknown, unknown, unknown]>([
    ['a value', () => 4, undefined, 4],
    ['a promise', async () => ['a', 'b'], undefined, ['a', 'b']],
    ['what came with it', (value) => value, { lines: ['x'] }, { lines: ['x'] }],
    ['nothing', () => undefined, undefined, undefined],
  ])('is responded to with %s', async (_, give, value, answer) => {
    there.handle('it', give);
    expect(await here.request('it', value)).toEqual(answer);
  });

  test('may be asked from either side, several at a time', async () => {
    here.handle('twice', (value) => Number(value) * 2);
    there.handle('thrice', (value) => Number(value) * 3);
    const numbers = [1, 2, 3];
    const twice = numbers.map((number) => there.request('twice', number));
    const thrice = numbers.map((number) => here.request('thrice', number));
    expect(await Promise.all([...twice, ...thrice])).toEqual([2, 4, 6, 3, 6, 9]);
  });

  test('is responded to with the reason why there is no value', async () => {
    there.handle('it', () => {
      throw new Error('The database is away');
    });
    await expect(here.request('it')).rejects.toThrow('The database is away');
  });

  test('that nobody knows is refused', async () => {
    await expect(here.request('what')).rejects.toThrow('Unknown request "what"');
  });

  test('fails where the other process exits, or has exited', async () => {
    there.handle('it', () => new Promise(() => undefined));
    const asked = here.request('it');
    connected.cut = true;
    connected.ends[0].emit('disconnect');
    await expect(asked).rejects.toThrow('The other process exited');
    await expect(here.request('it')).rejects.toThrow('The channel is closed');
  });

  test('leaves messages alone that are none of its own', async () => {
    for (const message of ['text', null, 7, {}, { responseTo: 99 }]) {
      connected.ends[0].emit('message', message);
    }
    there.handle('it', () => 1);
    expect(await here.request('it')).toBe(1);
  });
});

describe('silence', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is waited for two seconds, and a late response is ignored', async () => {
    let give: (value: unknown) => void = () => undefined;
    there.handle('it', () => new Promise((resolve) => (give = resolve)));
    const asked = here.request('it').catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(2000);
    expect(await asked).toBe('The other process does not respond');
    give(1);
    await jest.advanceTimersByTimeAsync(1);
    there.handle('it', () => 2);
    expect(await here.request('it')).toBe(2);
  });
});
