/** A start on a database that cannot be used: exit code 1 and one plain sentence, which says what to do where that is clear. */

import { chmod, mkdtemp, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { sqliteDriver } from '../../src/storage/sqlite/sqlite';
import { describeOnPostgres, usePrivatePostgres } from '../support/private-postgres';
import { useProgram } from '../support/program';
import { describeOnSmallDisk, useSmallDisk } from '../support/small-disk';

const program = useProgram();

const expectRefusal = async (url: string, sentence: RegExp): Promise<void> => {
  const message = await openDatabase(url).then(String, ({ message }: Error) => message);
  expect(message).toMatch(/^The database ".+" cannot be opened: [^\n]+\.$/);
  expect(message).toMatch(sentence);
};

/** Expects that the program says one sentence and ends. */
const expectEnd = async (url: string, sentence: RegExp, environment = {}): Promise<void> => {
  const { exitCode, out, err } = await program().fail({ DATABASE_URL: url, ...environment });
  expect([exitCode, out, err.trim().split('\n')]).toEqual([
    ...[1, ''],
    [expect.stringMatching(/^The database ".+" cannot be opened: .+\.$/)],
  ]);
  expect(err).toMatch(sentence);
};

describe('a SQLite file', () => {
  /** A database as it was left by a server that was stopped. */
  const leftBehind = async (): Promise<string> => {
    const path = join(await mkdtemp(join(program().directory, 'start-')), 'services.sqlite');
    await closeDatabase(await openDatabase(`sqlite:${path}`));
    return path;
  };

  test.each<[string, number, RegExp]>([
    ['at its beginning', 0, /restore a backup: file is not a database/],
    ['in its table of tables', 100, /restore a backup: database disk image is malformed/],
  ])('that is damaged %s', async (_, from, sentence) => {
    const path = await leftBehind();
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(3000, 0x5a), 0, 3000, from);
    await file.close();
    await expectRefusal(`sqlite:${path}`, sentence);
  });

  test('whose damage is met after it was opened', async () => {
    const path = await leftBehind();
    const db = new (sqliteDriver())(path);
    const root = db.prepare("select rootpage from sqlite_schema where name = 'users'").pluck();
    const pageSize = Number(db.pragma('page_size', { simple: true }));
    const page = Number(root.get());
    db.close();
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(pageSize, 0x5a), 0, pageSize, (page - 1) * pageSize);
    await file.close();
    const { exitCode, out, err } = await program().fail({ DATABASE_URL: `sqlite:${path}` });
    expect([exitCode, out]).toEqual([1, '']);
    expect(err.trim()).toBe(
      'The database is not available at the moment: it is damaged or not a database, so restore a backup: database disk image is malformed',
    );
  });

  test('that is a folder', () =>
    expectEnd(`sqlite:${program().directory}`, /must be there for this program to write to/));

  test('whose folder is a file', async () => {
    await expectRefusal(`sqlite:${await leftBehind()}/below.sqlite`, /ENOTDIR|EEXIST/);
  });

  const testUnlessRoot = process.getuid?.() === 0 ? test.skip : test;
  testUnlessRoot('that nobody may write to', async () => {
    const path = await leftBehind();
    await chmod(path, 0o400);
    await expectRefusal(`sqlite:${path}`, /must be there for this program to write to/);
  });
});

describeOnSmallDisk('a disk', () => {
  const disk = useSmallDisk();

  test('that is full', async () => {
    await disk().fill();
    const path = join(disk().folder, 'full', 'services.sqlite');
    await expectRefusal(`sqlite:${path}`, /make room on its disk: /).finally(disk().makeRoom);
  });

  test('that is read-only', async () => {
    const path = join(disk().folder, 'services.sqlite');
    await closeDatabase(await openDatabase(`sqlite:${path}`));
    const before = await readdir(disk().folder);
    disk().makeReadOnly();
    const sentence = /must be there for this program to write to/;
    await expectRefusal(`sqlite:${path}`, sentence);
    await expectRefusal(`sqlite:${path}-new`, sentence);
    expect(await readdir(disk().folder)).toEqual(before);
  });
});

describeOnPostgres('PostgreSQL', () => {
  const postgres = usePrivatePostgres();

  const urlWith = (changes: Partial<URL>, database?: string): string =>
    Object.assign(new URL(postgres().url(database)), changes).href;

  test('with a wrong password', async () => {
    await postgres().query(`create role careful login password 'right'`);
    const url = urlWith({ username: 'careful', password: 'wrong-one' });
    await expectRefusal(url, /correct the user and the password in the URL: /);
    await expect(openDatabase(url)).rejects.toThrow(/^((?!wrong-one).)*$/);
  });

  test('whose user may not create tables', async () => {
    await postgres().query('create role reader login');
    await expectRefusal(urlWith({ username: 'reader' }), /must be allowed to create tables: /);
  });

  test('without the TLS that is asked for', async () => {
    const url = `${urlWith({ password: 'secret-one' })}?sslmode=verify-full`;
    await expectEnd(url, /^((?!secret-one).)*turn TLS on there, or say sslmode=disable: /);
  });

  test('that does not run', async () => {
    await postgres().stop();
    await expectRefusal(postgres().url(), /see that the server runs .*: connect ECONNREFUSED/);
    await postgres().start();
  });

  test('that does not answer', async () => {
    await postgres().freeze();
    const refused = expectRefusal(postgres().url(), /see that the server runs .*: timeout expired/);
    await refused.finally(() => postgres().thaw());
  });

  test('without the database, for several workers at once', () => {
    const sentence = /create the database first: .*"absent" does not exist/;
    return expectEnd(postgres().url('absent'), sentence, { WORKERS: '2' });
  });
});
