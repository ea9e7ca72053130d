import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  DatabaseUnavailable,
  databaseUnavailable,
} from '../../../../src/storage/connections/database-errors';
import type { Load } from '../../../../src/storage/connections/load';
import {
  type GroupLimits,
  groupCommit,
  type Transactions,
} from '../../../../src/storage/database/group-commit';

const coded = (code: string) => Object.assign(new Error(code), { code });

/** A transaction of the stand-in: what its work has written so far. */
type Trx = string[];

/** A database that keeps texts: whole transactions, one at a time, each when the test lets it end. */
const keeper = (limits: Partial<GroupLimits> = {}) => {
  const kept: string[][] = [];
  const attempts: string[][] = [];
  const troubles: (Error | undefined)[] = [];
  let now = 0;
  let gate: Promise<void> = Promise.resolve();
  let running = 0;
  const run: Transactions<Trx, Trx>['run'] = async (work) => {
    running += 1;
    expect(running).toBe(1);
    const trx: Trx = [];
    attempts.push(trx);
    try {
      await gate;
      const result = await work(trx);
      const trouble = troubles.shift();
      if (trouble !== undefined) throw databaseUnavailable(trouble);
      kept.push(trx);
      return result;
    } finally {
      running -= 1;
    }
  };
  let load = (): Load => ({ waiting: 0 });
  const watch = (_part: string, read: () => Load): void => {
    load = read;
  };
  const change = groupCommit(
    { run, viewOf: (trx) => trx, watch },
    { group: 128, waiting: 4096, milliseconds: 1000, ...limits },
    () => now,
  );
  return {
    kept,
    attempts,
    /** The failures of the next transactions, one after the other. */
    troubles,
    change,
    load: () => load(),
    write: (text: string, lock?: string) =>
      change(async (trx) => {
        trx.push(text);
        return text;
      }, lock),
    fail: (error: Error, lock?: string) => change(() => Promise.reject(error), lock),
    /** Holds all transactions until the function that this gives is called. */
    hold(): () => void {
      let open = (): void => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    pass(milliseconds: number): void {
      now += milliseconds;
    },
  };
};

/** Resolves when what was asked for before has begun. */
const begun = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** The places of those that were refused. */
const refusedAt = (outcomes: readonly PromiseSettledResult<unknown>[]): number[] =>
  outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []));

describe('changes share transactions', () => {
  test('one that arrives alone has one to itself, and gets its result', async () => {
    const { write, kept } = keeper();
    expect(await write('a')).toBe('a');
    expect(await write('b')).toBe('b');
    expect(kept).toEqual([['a'], ['b']]);
  });

  test('tells how many wait, and since when', async () => {
    const { write, hold, pass, load } = keeper();
    const open = hold();
    const first = write('a');
    await begun();
    const second = write('b');
    pass(500);
    const third = write('c');
    expect(load()).toEqual({ waiting: 2, oldestSeconds: 0.5 });
    open();
    await Promise.all([first, second, third]);
    expect(load()).toEqual({ waiting: 0, oldestSeconds: 0 });
  });

  test('those that arrive together share one, as many as may', async () => {
    const { write, kept } = keeper({ group: 3 });
    const written = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((one) => write(one)));
    expect(written).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(kept).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ]);
  });

  test('in the order of their locks, and as they came where these are the same', async () => {
    const { write, kept } = keeper();
    await Promise.all([
      write('first'),
      write('c1', 'c'),
      write('b1', 'b'),
      write('none'),
      write('c2', 'c'),
      write('b2', 'b'),
    ]);
    // Those of different locks go side by side.
    expect(kept).toEqual([['first', 'none', 'b1', 'c1', 'b2', 'c2']]);
  });

  test('none is acknowledged before the transaction is kept', async () => {
    const { write, hold, kept } = keeper();
    const told: string[] = [];
    const open = hold();
    const all = ['a', 'b'].map((one) => write(one).then((text) => told.push(text)));
    await Promise.resolve();
    expect([told, kept]).toEqual([[], []]);
    open();
    await Promise.all(all);
    expect([told, kept]).toEqual([['a', 'b'], [['a', 'b']]]);
  });
});

describe('a change that fails', () => {
  const mistake = new TypeError('a mistake');

  test('is rejected, and the others are made', async () => {
    const { write, fail, kept } = keeper();
    const outcomes = await Promise.allSettled([
      ...[write('first'), write('a', 'a'), fail(mistake, 'b'), write('c', 'c')],
    ]);
    expect(refusedAt(outcomes)).toEqual([2]);
    expect(outcomes[2]).toEqual({ status: 'rejected', reason: mistake });
    expect(kept).toEqual([['first', 'a'], ['c']]);
  });

  test('is tried by itself, since others may have been the cause', async () => {
    const { write, change } = keeper();
    let isAlone = false;
    const picky = change(async (trx) => {
      isAlone = trx.length === 0;
      if (!isAlone) throw mistake;
      return 'alone at last';
    }, 'b');
    const first = write('first');
    await Promise.all([first, write('a', 'a')]);
    expect(await picky).toBe('alone at last');
    expect(isAlone).toBe(true);
  });

  test('costs the others no more than one attempt more, however many fail', async () => {
    const { write, fail, attempts } = keeper();
    const first = write('first');
    const outcomes = await Promise.allSettled([
      first,
      ...Array.from({ length: 50 }, (_, at) => [fail(mistake), write(String(at))]).flat(),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(51);
    expect(attempts.flat().length).toBeLessThanOrEqual(1 + 2 * 50);
  });
});

describe('trouble of the database', () => {
  test('rejects all that share the transaction, and no others', async () => {
    const { write, troubles, kept } = keeper({ group: 2 });
    troubles.push(undefined, coded('53100'));
    const written = ['first', 'a', 'b', 'c', 'd'].map((one) => write(one));
    const outcomes = await Promise.allSettled(written);
    expect(refusedAt(outcomes)).toEqual([2, 3]);
    expect(kept).toEqual([['first', 'a'], ['d']]);
  });

  test('in one of several changes ends all of them', async () => {
    const { write, fail, kept } = keeper();
    const trouble = coded('SQLITE_FULL');
    const outcomes = await Promise.allSettled([
      ...[write('first'), write('a', 'a'), fail(trouble, 'b'), write('c', 'c')],
    ]);
    const reasons = outcomes.map((one) => 'reason' in one && one.reason);
    expect(reasons).toEqual([trouble, trouble, trouble, trouble]);
    expect(kept).toEqual([]);
  });

  test('that is a lock ends only the change that waited for it, which is not tried again', async () => {
    const { write, change, kept } = keeper();
    let tried = 0;
    const first = write('first');
    const stuck = change(() => {
      tried += 1;
      return Promise.reject(coded('55P03'));
    }, 'b');
    const others = Promise.all([first, write('a', 'a'), write('c', 'c')]);
    await expect(stuck).rejects.toMatchObject({ retryAfterSeconds: 2 });
    await others;
    expect([tried, kept]).toEqual([1, [['first', 'a'], ['c']]]);
  });
});

describe('limits', () => {
  test('what comes when too many wait is refused at once, and the rest is done', async () => {
    const { write, hold, kept } = keeper({ waiting: 2 });
    const open = hold();
    const running = write('running');
    await begun();
    const accepted = ['a', 'b'].map((one) => write(one));
    await expect(write('c')).rejects.toThrow(DatabaseUnavailable);
    open();
    await Promise.all([running, ...accepted]);
    expect(kept).toEqual([['running'], ['a', 'b']]);
    expect(await write('d')).toBe('d');
  });

  test('a change that has waited for too long is refused and never begun', async () => {
    const { write, hold, pass, attempts } = keeper({ milliseconds: 1000 });
    const open = hold();
    const running = write('running');
    await begun();
    const late = write('late');
    pass(900);
    const inTime = write('in time');
    pass(200);
    const refusal = { retryAfterSeconds: 2, cause: { code: 'WAITED_TOO_LONG' } };
    await expect(write('behind it')).rejects.toMatchObject(refusal);
    open();
    await expect(late).rejects.toMatchObject(refusal);
    expect([await running, await inTime]).toEqual(['running', 'in time']);
    expect(attempts).toEqual([['running'], ['in time']]);
  });

  test('a burst is done, however long the transaction before it took', async () => {
    const { write, hold, pass, kept } = keeper({ group: 2 });
    const open = hold();
    const running = write('running');
    await begun();
    const others = ['a', 'b', 'c'].map((one) => write(one));
    pass(900);
    open();
    await Promise.all([running, ...others]);
    expect(kept).toEqual([['running'], ['a', 'b'], ['c']]);
  });
});

describe('whatever comes', () => {
  type Kind = 'good' | 'mistaken' | 'stuck';
  const errors: Readonly<Record<Exclude<Kind, 'good'>, Error>> = {
    mistaken: new TypeError('a mistake'),
    stuck: coded('55P03'),
  };
  const batches = fc.array(
    fc.record({
      kind: fc.constantFrom<Kind>('good', 'good', 'mistaken', 'stuck'),
      lock: fc.constantFrom('', 'a', 'b', 'c'),
      pause: fc.nat({ max: 3 }),
    }),
    { maxLength: 40 },
  );

  test('is kept once or refused, and not run again once it is settled', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 8 }), async (batch, group) => {
        const { change, kept } = keeper({ group });
        const told = new Set<number>();
        const calls: Promise<unknown>[] = [];
        for (const [at, { kind, lock, pause }] of batch.entries()) {
          const call = change(async (trx) => {
            expect(told).not.toContain(at);
            if (kind !== 'good') throw errors[kind];
            trx.push(String(at));
          }, lock);
          calls.push(call.finally(() => told.add(at)).catch(() => undefined));
          for (let tick = 0; tick < pause; tick += 1) await Promise.resolve();
        }
        await Promise.all(calls);
        const good = [...batch.keys()].filter((at) => batch[at]?.kind === 'good');
        const written = kept.flat().map(Number);
        expect(written.sort((one, other) => one - other)).toEqual(good);
      }),
      { numRuns: 200 },
    );
  });
});
