import { rm, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { knex } from 'knex';
import { runTransaction } from '../../../../src/storage/database/database';
import { statement } from '../../../../src/storage/sql/statement';
import { sqliteDriver } from '../../../../src/storage/sqlite/sqlite';
import {
  retryWhileBusy,
  syncConnection,
  walSync,
} from '../../../../src/storage/sqlite/sqlite-connection';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const fileIn = useTemporaryFolder();
let path = '';

beforeEach(() => {
  path = fileIn('file.sqlite');
});

describe('walSync', () => {
  test('syncs the log that is there, and the event loop goes on meanwhile', async () => {
    await writeFile(`${path}-wal`, 'log');
    const fail = (): void => {
      throw new Error('nothing to repair');
    };
    const log = walSync(path, fail);
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    await log.sync();
    await log.sync();
    await log.close();
    expect(hasTurned).toBe(true);
  });

  test('opens the log again after the database was opened again', async () => {
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
    const repair = (): void => {
      steps.push('repair');
    };
    const log = walSync(path, repair);
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
    const raw = new (sqliteDriver())(path);
    raw.exec('create table t (a)');
    let attempts = 0;
    const connection = syncConnection(raw, async () => {
      throw Object.assign(new Error('cannot be synced'), { code });
    });
    const change = runTransaction(
      async (work) => work(connection),
      async (trx) => {
        attempts += 1;
        const insert = knex({ client: 'better-sqlite3', useNullAsDefault: true })('t').insert({
          a: 1,
        });
        await trx.run(statement(insert), {});
      },
    );
    await expect(change).rejects.toMatchObject({
      retryAfterSeconds: undefined,
      message: expect.stringContaining('check whether it was made'),
    });
    expect([attempts, raw.prepare('select * from t').all()]).toEqual([1, [{ a: 1 }]]);
    raw.close();
  });
});

const coded = (code: string) => Object.assign(new Error(code), { code });

/** Fails with the errors, one after the other, and succeeds then. */
const failing = (...errors: Error[]) => {
  let attempts = 0;
  return {
    attempts: () => attempts,
    attempt: async () => {
      const error = errors[attempts];
      attempts += 1;
      if (error !== undefined) throw error;
      return 'done';
    },
  };
};

describe('retryWhileBusy', () => {
  test.each([
    [[]],
    [['SQLITE_BUSY']],
    [['SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY', 'SQLITE_BUSY', 'SQLITE_BUSY']],
  ])('is done after %j', async (codes: string[]) => {
    const { attempt, attempts } = failing(...codes.map(coded));
    expect(await retryWhileBusy(attempt, 10_000)).toBe('done');
    expect(attempts()).toBe(codes.length + 1);
  });

  test('gives up when the time is over', async () => {
    const { attempt } = failing(...Array.from({ length: 1000 }, () => coded('SQLITE_BUSY')));
    await expect(retryWhileBusy(attempt, 20)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  });

  test('does not wait after anything else', async () => {
    const { attempt, attempts } = failing(coded('SQLITE_FULL'));
    await expect(retryWhileBusy(attempt, 10_000)).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(attempts()).toBe(1);
  });
});
