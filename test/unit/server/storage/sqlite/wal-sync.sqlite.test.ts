import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Driver from 'better-sqlite3';
import { runTransaction } from '../../../../../src/server/storage/database/run-transaction';
import { syncConnection } from '../../../../../src/server/storage/sqlite/sqlite-sync-connection';
import { type InPlace, walSync } from '../../../../../src/server/storage/sqlite/wal-sync';

const inThreads: InPlace = { isForOneAlone: () => false, mostMilliseconds: 1 };

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
    const fail = (): void => {
      throw new Error('nothing to repair');
    };
    const log = walSync(path, fail, inThreads);
    await log.sync();
    await log.sync();
    await log.close();
  });

  test('opens the log anew where the database was', async () => {
    await writeFile(`${path}-wal`, 'log');
    const log = walSync(path, () => undefined, inThreads);
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
    const repair = (): void => {
      steps.push('repair');
    };
    const log = walSync(path, repair, inThreads);
    await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(`${path}-wal`, 'log');
    await log.sync();
    await log.sync();
    expect(steps).toEqual(['repair']);
    await log.close();
  });
});

describe('a sync', () => {
  const anyTime = Number.POSITIVE_INFINITY;

  test.each<[string, readonly boolean[], number, readonly boolean[]]>([
    ['is handed over first, since it is not known how long it takes', [true], 9, [true]],
    [
      'for one caller alone is waited for in place then',
      [true, true, true],
      anyTime,
      [true, false, false],
    ],
    [
      'is handed over where others would wait',
      [true, true, false, true],
      anyTime,
      [true, false, true, false],
    ],
    [
      'is handed over where the one before took too long',
      [true, true, true],
      0,
      [true, true, true],
    ],
  ])('%s', async (_, alone, mostMilliseconds, turns) => {
    await writeFile(`${path}-wal`, 'log');
    let isForOneAlone = false;
    const log = walSync(path, () => undefined, {
      isForOneAlone: () => isForOneAlone,
      mostMilliseconds,
    });
    /** Whether the event loop goes on during each. */
    const turned: boolean[] = [];
    for (const [number, isAlone] of alone.entries()) {
      isForOneAlone = isAlone;
      turned[number] = false;
      const turn = setImmediate(() => {
        turned[number] = true;
      });
      await log.sync();
      clearImmediate(turn);
    }
    await log.close();
    expect(turned).toEqual(turns);
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
    const change = runTransaction(
      async (work) => work(connection),
      async (trx) => {
        attempts += 1;
        await trx.run('insert into t values (?)', [1]);
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
