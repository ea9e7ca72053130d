/** Ids beyond what test/end-to-end/pet-ids.db.test.ts asks for. */

import { describe, expect, test } from '@jest/globals';
import { idsOf } from '../../../../src/storage/collections/ids';
import type { Database } from '../../../../src/storage/database/database';
import { useTemporaryDatabase } from '../temporary-database';

const LAST = 9223372036854775807n;

const temporary = useTemporaryDatabase();
let kinds = 0;

/** A kind of its own. */
const freshKind = () => {
  const kind = `kind ${++kinds}`;
  const over = (db: Database) => {
    const ids = idsOf(db, 'service', kind);
    return {
      take: () => db.transaction((trx) => ids.take(trx)),
      give: (id: bigint) => db.transaction((trx) => ids.give(trx, id)),
      start: () => db.transaction((trx) => ids.start(trx)),
      fail: () =>
        db.transaction(async (trx) => {
          await ids.take(trx);
          throw new Error('failed after it');
        }),
    };
  };
  return {
    over,
    ...over(temporary.db),
    counter: () => temporary.db.knex('id_counters').where({ name: `service/${kind}` }),
  };
};

/** `take` expects the id that is taken. */
type Step = { readonly give: bigint } | { readonly take: bigint };

describe('ids', () => {
  test.each<[string, readonly Step[]]>([
    ['from 1 on', [{ take: 1n }, { take: 2n }]],
    ['after given ones below', [{ give: -3n }, { give: 0n }, { give: 1n }, { take: 2n }]],
    ['behind given ones that follow one another', [{ give: 1n }, { give: 2n }, { take: 3n }]],
    ['between given ones', [{ give: 2n }, { take: 1n }, { take: 3n }, { give: 5n }, { take: 4n }]],
    ['beside one that was given twice', [{ give: 2n }, { give: 2n }, { take: 1n }, { take: 3n }]],
    ['beside the last int64', [{ give: LAST }, { give: 1n }, { take: 2n }, { take: 3n }]],
  ])('are assigned %s', async (_, steps) => {
    const { take, give } = freshKind();
    for (const step of steps) {
      if ('give' in step) await give(step.give);
      else expect(await take()).toBe(step.take);
    }
  });

  test('count on exactly above 2^53', async () => {
    const { take, counter } = freshKind();
    await take();
    await counter().update({ next: '9007199254740993' });
    expect(await take()).toBe(9007199254740993n);
    expect(await take()).toBe(9007199254740994n);
  });

  test('come from counters that start once', async () => {
    const { start } = freshKind();
    const started = await Promise.all([start(), start(), start()]);
    expect(started.filter(Boolean)).toEqual([true]);
  });

  test('are not used up by a transaction that failed', async () => {
    const { take, fail } = freshKind();
    await expect(fail()).rejects.toThrow('failed after it');
    expect(await take()).toBe(1n);
  });

  test('are never assigned that others give at the same time', async () => {
    const { over } = freshKind();
    const processes = [temporary.db, await temporary.openAnother()].map(over);
    const given = Array.from({ length: 40 }, (_, at) => BigInt(2 * at + 1));
    const [taken] = await Promise.all([
      Promise.all(given.map((_, at) => processes[at % 2]?.take())),
      Promise.all(given.map((id, at) => processes[(at >> 1) % 2]?.give(id))),
    ]);
    expect(new Set(taken).size).toBe(taken.length);
    // One that was assigned before it was given is in use by then: inserting under it fails.
    const last = await processes[0]?.take();
    expect(given).not.toContain(last);
    expect(taken).not.toContain(last);
  });
});
