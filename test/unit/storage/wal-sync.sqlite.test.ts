import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Driver from 'better-sqlite3';
import { syncConnection } from '../../../src/storage/sqlite-sync-connection';
import { transact } from '../../../src/storage/transact';
import { walSync } from '../../../src/storage/wal-sync';

let folder = '';
let path = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wal-'));
  path = join(folder, 'file.sqlite');
});

afterEach(() => rm(folder, { recursive: true }));

describe('walSync', () => {
  test('syncs the log that is there', async () => {
    await writeFile(`${path}-wal`, 'log');
    const log = walSync(path, () => {
      throw new Error('nothing to repair');
    });
    await log.sync();
    await log.sync();
    await log.close();
  });

  test('opens the log anew where the database was', async () => {
    await writeFile(`${path}-wal`, 'log');
    const log = walSync(path, () => undefined);
    await log.sync();
    await rm(`${path}-wal`);
    log.reopen();
    await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(`${path}-wal`, 'another log');
    await log.sync();
    await log.close();
  });

  test('has everything written back before it trusts the log again that could not be synced', async () => {
    const steps: string[] = [];
    const log = walSync(path, () => {
      steps.push('repair');
    });
    await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(`${path}-wal`, 'log');
    await log.sync();
    await log.sync();
    expect(steps).toEqual(['repair']);
    await log.close();
  });
});

describe('a sync', () => {
  /** Whether the event loop goes on while the last of so many is under way. */
  const goesOnDuringLast = async (
    syncs: number,
    waited: readonly number[],
    mostMilliseconds: number,
  ): Promise<boolean> => {
    await writeFile(`${path}-wal`, 'log');
    let asked = 0;
    const nobodyWaited = (): boolean => {
      asked += 1;
      return !waited.includes(asked);
    };
    const log = walSync(path, () => undefined, { nobodyWaited, mostMilliseconds });
    let isTurned = false;
    for (let number = 1; number <= syncs; number += 1) {
      isTurned = false;
      const turn = setImmediate(() => {
        isTurned = true;
      });
      await log.sync();
      clearImmediate(turn);
    }
    await log.close();
    return isTurned;
  };

  const everySync = Number.POSITIVE_INFINITY;

  test.each<[string, number, readonly number[], number, boolean]>([
    ['for one caller alone is waited for in place', 4, [], everySync, false],
    ['remains so', 9, [], everySync, false],
    ['is handed over while it is not known whether the caller is alone', 3, [], everySync, true],
    ['is handed over where somebody waited', 9, [9], everySync, true],
    ['is handed over where somebody waited shortly before', 9, [6], everySync, true],
    ['is waited for in place again when nobody waits any more', 9, [5], everySync, false],
    ['is handed over where the one before took too long', 9, [], 0, true],
  ])('%s', async (_, syncs, waited, mostMilliseconds, goesOn) => {
    expect(await goesOnDuringLast(syncs, waited, mostMilliseconds)).toBe(goesOn);
  });
});

describe('a commit that cannot be synced', () => {
  test.each(['EIO', 'ENOSPC'])('for %s is made for others, and told as unknown', async (code) => {
    const raw = new Driver(path);
    raw.exec('create table t (a)');
    let attempts = 0;
    const connection = syncConnection(raw, async () => {
      throw Object.assign(new Error('cannot be synced'), { code });
    });
    const change = transact(
      async (work) => work(connection),
      async (trx) => {
        attempts += 1;
        await trx.all('insert into t values (?)', [1]);
      },
    );
    await expect(change).rejects.toMatchObject({
      retryAfterSeconds: undefined,
      message: expect.stringContaining('look whether it was made'),
    });
    expect([attempts, raw.prepare('select * from t').all()]).toEqual([1, [{ a: 1 }]]);
    raw.close();
  });
});
