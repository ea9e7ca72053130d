import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { isPostgres } from '../support/new-database';
import { startNode } from '../support/process';
import { useProgram } from '../support/program';
import { fill, hardRows, useDatabases } from '../unit/storage/copy/copy-databases';

const program = useProgram();
const databases = useDatabases();

const many = 8000;

/** A source that takes a while to copy. */
const createLarge = async (): Promise<string> => {
  const url = await databases().create('sqlite');
  const db = await openDatabase(url);
  await fill(db, hardRows);
  const numbers = `with recursive number (n) as (select 1 union all select n + 1 from number where n < ${many})`;
  await db.knex.raw(`insert into items (collection, id, document, format)
    ${numbers} select 9, n, printf('{"id":%d,"name":"%.200c"}', n, 'x'), '' from number`);
  // The last table: what is killed before is killed long before the end.
  await db.knex.raw(`insert into event_counts (name, count, expires_at)
    ${numbers} select 'many/' || n, n, 9007199254740993 + n from number`);
  await closeDatabase(db);
  return url;
};

/** Starts a copy, and kills it when it has told of as many lines. Resolves to how it ended. */
const killAfter = async (lines: number, from: string, to: string) => {
  const script = join(program().build, 'src', 'admin.js');
  const { child, out, ended } = startNode([script, 'copy', '--from', from, '--to', to], {
    env: { PATH: process.env['PATH'] },
  });
  child.stdout?.on('data', () => {
    if (out().split('\n').length > lines) child.kill('SIGKILL');
  });
  return { code: await ended, signal: child.signalCode };
};

describe('copy by the program', () => {
  test('copies into an empty target, and refuses what a killed copy has left', async () => {
    const from = await createLarge();
    const create = () => databases().create(isPostgres ? 'postgres' : 'sqlite');
    const [interrupted, empty] = [await create(), await create()];
    const copy = (to: string) => program().admin({}, 'copy', '--from', from, '--to', to);
    expect(await killAfter(1, from, interrupted)).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await copy(interrupted)).toMatchObject({
      exitCode: 2,
      err: 'The target is not empty, it has rows in the table "collections": start again with an empty target.\n',
    });
    const { exitCode, out, err } = await copy(empty);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^items\t${many + 4}\t[0-9a-f]{64}$`, 'm'));
    expect(out).toMatch(/^Copied and verified: all tables match\.$/m);
  }, 120_000);
});
