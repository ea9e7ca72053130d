/** Ids beyond what test/end-to-end/pet-ids.db.test.ts asks for. */

import { describe, expect, test } from '@jest/globals';
import { idsOf } from '../../../../src/storage/collections/ids';
import type { Transaction } from '../../../../src/storage/database/transaction';
import { useTemporaryDatabase } from '../temporary-database';

const LAST = 9223372036854775807n;

const temporary = useTemporaryDatabase();
let kinds = 0;

/** A kind of its own, whose resources are no more than a set of ids. */
const freshKind = () => {
  const kind = `kind ${++kinds}`;
  const ids = idsOf(temporary.db, 'service', kind);
  const used = new Set<bigint>();
  const add = (trx: Transaction, given?: bigint) =>
    ids.insert(trx, given, async (id) => !used.has(id) && used.add(id) === used);
  return {
    ids,
    used,
    addIn: add,
    add: (given?: bigint) => temporary.db.transaction((trx) => add(trx, given)),
    remove: (id: bigint) =>
      temporary.db.transaction(async (trx) => {
        const removed = used.delete(id);
        if (removed) await ids.giveUp(trx, id);
        return removed;
      }),
    start: () => temporary.db.transaction((trx) => ids.start(trx)),
    counter: () => temporary.db.knex('id_counters').where({ name: `service/${kind}` }),
  };
};

describe('ids', () => {
  test.each<[string, (bigint | { readonly removed: bigint })[], bigint]>([
    ['after given ones below it', [-3n, 0n, 1n, 2n], 3n],
    ['after an assigned one was removed', [1n, { removed: 1n }], 2n],
    ['after given ones were removed', [1n, 2n, { removed: 1n }, { removed: 2n }], 3n],
    ['beside one that was removed and given again', [5n, { removed: 5n }, 5n], 1n],
    ['beside one that was removed twice', [2n, { removed: 2n }, 2n, { removed: 2n }], 1n],
    ['after the last int64 was removed', [LAST, { removed: LAST }], 1n],
  ])('are assigned %s', async (_, steps, wanted) => {
    const { add, remove } = freshKind();
    for (const step of steps) {
      if (typeof step === 'bigint') expect(await add(step)).toBe(step);
      else expect(await remove(step.removed)).toBe(true);
    }
    expect(await add()).toBe(wanted);
  });

  test('that were never there are not retired', async () => {
    const { add, remove } = freshKind();
    expect(await remove(1n)).toBe(false);
    expect(await add()).toBe(1n);
  });

  test('count on exactly above 2^53', async () => {
    const { add, counter } = freshKind();
    await add();
    await counter().update({ next: '9007199254740993' });
    expect(await add()).toBe(9007199254740993n);
    expect(await add()).toBe(9007199254740994n);
  });

  test('come from counters that start once', async () => {
    const { start } = freshKind();
    const started = await Promise.all([start(), start(), start()]);
    expect(started.filter(Boolean)).toEqual([true]);
  });

  test('are taken by one statement where the counter is as it was left', async () => {
    const { add, addIn, used, counter } = freshKind();
    const statements = async (): Promise<string[]> => {
      const verbs: string[] = [];
      const note = <Noted extends { readonly sql: string }>(statement: Noted): Noted => {
        verbs.push(statement.sql.slice(0, statement.sql.indexOf(' ')));
        return statement;
      };
      await temporary.db.transaction((trx) =>
        addIn({
          ...trx,
          all: (statement, parameters) => trx.all(note(statement), parameters),
          run: (statement, parameters) => trx.run(note(statement), parameters),
        }),
      );
      return verbs;
    };
    await add();
    expect(await statements()).toEqual(['update']);
    await counter().update({ next: '10' });
    expect(await statements()).toEqual(['update', 'select', 'update']);
    expect(await statements()).toEqual(['update']);
    await counter().update({ retired: '13' });
    expect(await statements()).toEqual(['update', 'select', 'update']);
    expect(await statements()).toEqual(['update', 'select', 'update']);
    expect([...used]).toEqual([1n, 2n, 10n, 11n, 12n, 14n]);
  });

  test('are not assigned where the table of retired ids alone has them', async () => {
    const { add, counter } = freshKind();
    await add();
    const row = await counter().first();
    await temporary.db.knex('retired_ids').insert({ kind: row.name, id: '2' });
    const anew = idsOf(temporary.db, 'service', row.name.slice('service/'.length));
    const assigned: bigint[] = [];
    for (let times = 0; times < 2; times += 1) {
      await temporary.db.transaction((trx) =>
        anew.insert(trx, undefined, async (id) => assigned.push(id) > 0),
      );
    }
    expect(assigned).toEqual([3n, 4n]);
  });

  test('are not used up by a transaction that failed', async () => {
    const { add, ids } = freshKind();
    const failing = temporary.db.transaction(async (trx) => {
      await ids.insert(trx, undefined, async () => true);
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await add()).toBe(1n);
  });
});
