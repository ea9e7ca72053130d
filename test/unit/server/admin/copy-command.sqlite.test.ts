import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../../support/sessions';
import { fill, hardRows, useDatabases } from '../../storage/copy/copy-databases';
import { refused, runIn, runWith } from './run-command';

const databases = useDatabases();

const copy = (from: string, to: string): Promise<Outcome> =>
  runWith('sqlite::memory:', 'copy', '--from', from, '--to', to);

const createFilled = async (): Promise<string> => {
  const url = await databases().create('sqlite');
  await fill(await databases().open(url), hardRows);
  return url;
};

describe('copy', () => {
  test('tells how far it is, and in the end what both sides hold', async () => {
    const { exitCode, out, err } = await copy(
      await createFilled(),
      await databases().create('sqlite'),
    );
    expect([exitCode, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('collections: 2 rows copied');
    expect(lines).toContain('event_counts: 1 rows compared');
    expect(lines).toContainEqual(expect.stringMatching(/^items\t4\t[0-9a-f]{64}$/));
    expect(lines.at(-1)).toBe('Copied and verified: all tables match.');
  });

  test('names the tables of services, which it leaves', async () => {
    const from = await createFilled();
    const source = await databases().open(from);
    await source.changeTables((trx) =>
      trx.schema.createTable('loan', (table) => table.increments()),
    );
    const { exitCode, out } = await copy(from, await databases().create('sqlite'));
    const named = /Tables of services are not among them; copy these yourself: loan\.\n$/;
    expect([exitCode, out]).toEqual([0, expect.stringMatching(named)]);
  });

  test('is one JSON document for programs, without the steps', async () => {
    const [from, to] = [await createFilled(), await databases().create('sqlite')];
    const { out } = await runWith(from, 'copy', '--from', from, '--to', to, '--format', 'json');
    const side = { rows: 4, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const { tables } = JSON.parse(out);
    expect(tables).toContainEqual({ table: 'items', source: side, target: side });
  });

  test('refuses a source that is not there, and does not make one', async () => {
    const path = join(databases().folder, 'missing.sqlite');
    const target = await databases().create('sqlite');
    expect(await copy(`sqlite:${path}`, target)).toEqual(
      refused(`There is no database "${path}".\n`),
    );
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await expect(stat(target.slice('sqlite:'.length))).rejects.toThrow('ENOENT');
  });

  test.each([
    ['standard input', {}, ['--from', '-', '--to', 'TARGET']],
    ['environment variables', { COPY_FROM_URL: 'SOURCE', COPY_TO_URL: 'TARGET' }, []],
  ])('takes the URLs from %s', async (_, environment, args) => {
    const urls: Readonly<Record<string, string>> = {
      SOURCE: await createFilled(),
      TARGET: await databases().create('sqlite'),
    };
    const given = (text: string): string => urls[text] ?? text;
    for (const [name, value] of Object.entries(environment)) process.env[name] = given(value);
    try {
      const context = { readLine: async () => given('SOURCE') };
      const { exitCode, err } = await runIn(context, ['copy', ...args.map(given)]);
      expect([exitCode, err]).toEqual([0, '']);
    } finally {
      for (const name of Object.keys(environment)) delete process.env[name];
    }
  });

  test('reads one URL at most from standard input', async () => {
    expect(await copy('-', '-')).toEqual(refused('Only one of the databases may be "-".\n'));
  });

  const secret = 'pass/w@rd';
  const urls = [
    `postgres://user:${encodeURIComponent(secret)}@127.0.0.1:1/db`,
    `postgres://127.0.0.1:1/db?user=u&password=${encodeURIComponent(secret)}`,
    `postgres://user:${secret}@127.0.0.1:1/db`,
    `mysql://user:${secret}@127.0.0.1/db`,
  ];

  test.each(urls)('shows no password of %s', async (url) => {
    const source = await createFilled();
    for (const args of [
      ['--from', source, '--to', url],
      ['--from', url, '--to', source],
      [`--form=${url}`, '--to', source],
      ['--from', source, '--to', source, url],
    ]) {
      const { exitCode, out, err } = await runWith(url, 'copy', ...args);
      expect(exitCode).not.toBe(0);
      expect(err).toMatch(/^\S.*\n$/);
      for (const hidden of [secret, encodeURIComponent(secret), 'w@rd', 'w%40rd']) {
        expect(`${out}${err}`).not.toContain(hidden);
      }
    }
  });
});
