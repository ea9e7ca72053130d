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
