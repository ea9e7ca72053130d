import { describe, expect, test } from '@jest/globals';
import { idsOf } from '../../../../../src/server/storage/collections/ids';
import type { Transaction } from '../../../../../src/server/storage/database/transaction';
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
        if (removed) await ids.tombstone(trx, id);
        return removed;
      }),
    start: () => temporary.db.transaction((trx) => ids.start(trx)),
  };
};

const counterOf = (number: number) => ({ name: `service/kind ${number}` });

type Step = readonly ['add', bigint | undefined, bigint | undefined] | readonly ['remove', bigint];

describe('ids', () => {
  test.each<[string, Step[]]>([
    [
      'are assigned from 1',
      [
        ['add', undefined, 1n],
        ['add', undefined, 2n],
      ],
    ],
    [
      'are kept where they are given',
      [
        ['add', 7n, 7n],
        ['add', -3n, -3n],
        ['add', 0n, 0n],
      ],
    ],
    [
      'are refused where they are in use',
      [
        ['add', 7n, 7n],
        ['add', 7n, undefined],
      ],
    ],
    [
      'skip those that were given',
      [
        ['add', 1n, 1n],
        ['add', 2n, 2n],
        ['add', undefined, 3n],
      ],
    ],
    [
      'are not assigned again after an assigned one was removed',
      [
        ['add', undefined, 1n],
        ['remove', 1n],
        ['add', undefined, 2n],
      ],
    ],
    [
      'are not assigned after a given one was removed',
      [
        ['add', 1n, 1n],
        ['add', 2n, 2n],
        ['remove', 1n],
        ['remove', 2n],
        ['add', undefined, 3n],
      ],
    ],
    [
      'can be given again after they were removed',
      [
        ['add', 5n, 5n],
        ['remove', 5n],
        ['add', 5n, 5n],
      ],
    ],
    [
      'are removed twice without harm',
      [
        ['add', 2n, 2n],
        ['remove', 2n],
        ['add', 2n, 2n],
        ['remove', 2n],
        ['add', undefined, 1n],
      ],
    ],
    [
      'are assigned after the last int64',
      [
        ['add', LAST, LAST],
        ['add', undefined, 1n],
      ],
    ],
    [
      'are assigned after the last int64 was removed',
      [
        ['add', LAST, LAST],
        ['remove', LAST],
        ['add', undefined, 1n],
      ],
    ],
  ])('%s', async (_, steps) => {
    const { add, remove } = freshKind();
    for (const [verb, given, wanted] of steps) {
      if (verb === 'remove') expect(await remove(given ?? 0n)).toBe(true);
      else expect(await add(given)).toBe(wanted);
    }
  });

  test('that were never there are not retired', async () => {
    const { add, remove } = freshKind();
    expect(await remove(1n)).toBe(false);
    expect(await add()).toBe(1n);
  });

  test('count on exactly above 2^53', async () => {
    const { add } = freshKind();
    await add();
    await temporary.db
      .knex('id_counters')
      .where(counterOf(kinds))
      .update({ next: '9007199254740993' });
    expect(await add()).toBe(9007199254740993n);
    expect(await add()).toBe(9007199254740994n);
  });

  test('come from counters that start once', async () => {
    const { start } = freshKind();
    const started = await Promise.all([start(), start(), start()]);
    expect(started.filter(Boolean)).toEqual([true]);
  });

  test('are taken by one statement where the counter is as it was left', async () => {
    const { add, addIn, used } = freshKind();
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
    await temporary.db.knex('id_counters').where(counterOf(kinds)).update({ next: '10' });
    expect(await statements()).toEqual(['update', 'select', 'update']);
    expect(await statements()).toEqual(['update']);
    await temporary.db.knex('id_counters').where(counterOf(kinds)).update({ retired: '13' });
    expect(await statements()).toEqual(['update', 'select', 'update']);
    expect(await statements()).toEqual(['update', 'select', 'update']);
    expect([...used]).toEqual([1n, 2n, 10n, 11n, 12n, 14n]);
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
