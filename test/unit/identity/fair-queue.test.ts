import { describe, expect, test } from '@jest/globals';
import { fairQueue } from '../../../src/identity/password';

/** Work that ends when told to. */
const gatedWork = () => {
  const started: string[] = [];
  const release = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => release.set(name, () => resolve(name)));
  };
  return { started, work, finish: (name: string) => release.get(name)?.() };
};

describe('fairQueue', () => {
  test('runs so much at once and the rest in the order of arrival', async () => {
    const inTurn = fairQueue(2, 5);
    const { started, work, finish } = gatedWork();
    const all = ['a', 'b', 'c', 'd'].map((name) => inTurn(work(name)));
    await Promise.resolve();
    expect(started).toEqual(['a', 'b']);
    finish('b');
    await all[1];
    await Promise.resolve();
    expect(started).toEqual(['a', 'b', 'c']);
    finish('a');
    finish('c');
    await Promise.all([all[0], all[2]]);
    finish('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('turns away what does not fit into the queue, with 503 and Retry-After', async () => {
    const inTurn = fairQueue(1, 1);
    const { work, finish } = gatedWork();
    const running = inTurn(work('running'));
    const waiting = inTurn(work('waiting'));
    await expect(inTurn(work('refused'))).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
      headers: { 'Retry-After': '5' },
    });
    finish('running');
    await running;
    finish('waiting');
    await waiting;
    const later = inTurn(work('later'));
    await Promise.resolve();
    finish('later');
    expect(await later).toBe('later');
  });

  test('gives turns to those whose work it is, however much one of them has', async () => {
    const inTurn = fairQueue(1, 10);
    const { started, work, finish } = gatedWork();
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    const all = names.map((name) => inTurn(work(name), name[0]));
    for (let turn = 0; turn < names.length; turn += 1) {
      await Promise.resolve();
      const current = started[turn] ?? '';
      finish(current);
      await all[names.indexOf(current)];
    }
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  test('refuses the latest work of the client with the most, so that a flood does not keep other clients out', async () => {
    const inTurn = fairQueue(1, 3);
    const { started, work, finish } = gatedWork();
    const refused: string[] = [];
    const ask = (name: string) =>
      inTurn(work(name), name[0]).catch(({ status }) => {
        refused.push(`${name} ${status}`);
      });
    // One runs, three wait.
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'a5', 'c1', 'd1', 'b2'].map(ask);
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise(setImmediate);
      finish(started[turn] ?? '');
    }
    await Promise.all(all);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1']);
    expect(refused.sort()).toEqual(['a3 503', 'a4 503', 'a5 503', 'b2 503', 'd1 503']);
  });

  test('gives its place on when the work fails', async () => {
    const inTurn = fairQueue(1, 1);
    await expect(inTurn(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await inTurn(async () => 'next')).toBe('next');
  });
});
