/** What a unit of work changes is committed when it succeeds, and undone when it fails. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseUnavailable } from '../../../../../src/server/storage/connections/database-errors';
import type { Database } from '../../../../../src/server/storage/database/database';
import { param } from '../../../../../src/server/storage/sql/statement';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();

const counters = (db: Database) => {
  const insert = db.prepare<{ name: string }, never>(
    db.knex('id_counters').insert({ name: param('name'), next: '1' }),
  );
  const list = db.prepare<Record<string, never>, { name: string }>(
    db.knex('id_counters').orderBy('name').select('name'),
  );
  return {
    add: (name: string) => db.transaction((trx) => trx.run(insert, { name })),
    /** Adds all or none. */
    addAll: (names: readonly string[]) =>
      db.transaction(async (trx) => {
        for (const name of names) await trx.run(insert, { name });
      }),
    names: async () => (await db.all(list, {})).map(({ name }) => name),
  };
};

let db: Database;
let rows: ReturnType<typeof counters>;
beforeEach(async () => {
  db = temporary.db;
  await db.knex('id_counters').delete();
  rows = counters(db);
});

const failing = async (): Promise<never> => {
  throw new Error('wrong');
};

describe('a unit of work', () => {
  test('reads what it has changed, which others see when it has ended', async () => {
    let seen: string[] = [];
    await db.unitOfWork(async () => {
      await rows.add('a');
      await rows.add('b');
      seen = await rows.names();
    });
    expect(seen).toEqual(['a', 'b']);
    expect(await rows.names()).toEqual(['a', 'b']);
  });

  test('that fails undoes all, and rejects with its error', async () => {
    const work = db.unitOfWork(async () => {
      await rows.add('a');
      await failing();
    });
    await expect(work).rejects.toThrow('wrong');
    expect(await rows.names()).toEqual([]);
  });

  test('that changes nothing begins no transaction', async () => {
    expect(await db.unitOfWork(async () => rows.names())).toEqual([]);
  });

  test('goes on after a part that failed, which is undone alone', async () => {
    const outcome = db.unitOfWork(async () => {
      await rows.add('a');
      const failed = await rows.addAll(['b', 'a']).catch(() => 'taken');
      await rows.add('c');
      return failed;
    });
    expect(await outcome).toBe('taken');
    expect(await rows.names()).toEqual(['a', 'c']);
  });

  test('does the parts that are begun at once one after the other', async () => {
    await db.unitOfWork(() =>
      Promise.allSettled([rows.addAll(['a', 'b']), rows.addAll(['c', 'a']), rows.add('d')]),
    );
    expect(await rows.names()).toEqual(['a', 'b', 'd']);
  });

  test('leaves the changes of others alone, and waits for its turn', async () => {
    const others = ['x', 'y', 'z'].map((name) => rows.add(name));
    const undone = db.unitOfWork(async () => {
      await rows.add('a');
      await failing();
    });
    const kept = db.unitOfWork(() => rows.add('b'));
    await Promise.allSettled([...others, undone, kept, rows.add('c')]);
    await expect(undone).rejects.toThrow('wrong');
    expect(await rows.names()).toEqual(['b', 'c', 'x', 'y', 'z']);
  });

  test('is done again where another transaction was in its way', async () => {
    let attempts = 0;
    await db.unitOfWork(async () => {
      attempts += 1;
      await rows.add(`attempt ${attempts}`);
      if (attempts < 3) throw Object.assign(new Error('conflict'), { code: '40001' });
    });
    expect(await rows.names()).toEqual(['attempt 3']);
  });

  test('that the database fails is unavailable, and nothing stays', async () => {
    const work = db.unitOfWork(async () => {
      await rows.add('a');
      throw Object.assign(new Error('disk full'), { code: '53100' });
    });
    await expect(work).rejects.toThrow(DatabaseUnavailable);
    expect(await rows.names()).toEqual([]);
  });

  test('what goes on after its end is no part of it', async () => {
    let later: () => Promise<unknown> = failing;
    await db.unitOfWork(async () => {
      await rows.add('a');
      const ended = new Promise<void>((resolve) => {
        later = async () => resolve();
      }).then(() => rows.names());
      const end = later;
      later = async () => {
        await end();
        return ended;
      };
    });
    await rows.add('b');
    expect(await later()).toEqual(['a', 'b']);
  });
});
