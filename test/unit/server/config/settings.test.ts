import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig, readSettings } from '../../../../src/server/config/config';
import { tableOf } from '../../../support/text-cases';

const cases = join(__dirname, 'settings.cases.txt');

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (content: string | Uint8Array): string => {
  const path = join(folder, 'value');
  writeFileSync(path, content);
  return path;
};

describe('NAME_FILE', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['a value', 's3cret', 's3cret'],
    ['a line end behind it', 's3cret\n', 's3cret'],
    ['a line end of Windows', 's3cret\r\n', 's3cret'],
    ['a second line end, which is its own', 's3cret\n\n', 's3cret\n'],
    ['a byte order mark', '\uFEFFs3cret', 's3cret'],
    ['letters of UTF-8', 'gehëim', 'gehëim'],
    ['as much as it may have', 'x'.repeat(65_536), 'x'.repeat(65_536)],
  ])('may have %s', (_, content, wanted) => {
    expect(readConfig({ METRICS_TOKEN_FILE: fileOf(content) }).metricsToken).toBe(wanted);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['is empty', '', 'is empty'],
    ['has a line end alone', '\n', 'is empty'],
    ['is too large', 'x'.repeat(65_537), 'is no file of at most 64 KiB'],
    ['is not UTF-8', Buffer.from('s3cr\xe9t', 'latin1'), 'is not UTF-8'],
  ])('is refused where the file %s', (_, content, problem) => {
    const path = fileOf(content);
    const { problem: found } = readSettings({ METRICS_TOKEN_FILE: path });
    expect(found).toBe(
      `The environment is invalid:\n  METRICS_TOKEN_FILE names "${path}", which ${problem}`,
    );
  });

  test.each([
    ['/nowhere/token', 'cannot be read (ENOENT)'],
    ['/', 'is no file of at most 64 KiB'],
    ['/dev/zero', 'is no file of at most 64 KiB'],
    ['', 'cannot be read (ENOENT)'],
  ])('is refused where the path is "%s"', (path, problem) => {
    const wanted = `METRICS_TOKEN_FILE names "${path}", which ${problem}`;
    expect(readSettings({ METRICS_TOKEN_FILE: path }).problem).toContain(wanted);
  });

  test.each([
    [{ METRICS_TOKEN: 'a' }, 'METRICS_TOKEN_FILE is set as well'],
    [{ PORT: 'x' }, 'PORT must be a whole number from 0 to 65535'],
    [
      { DATABASE_URL_FILE: 'postgres://user:s3cret@host/db' },
      'DATABASE_URL_FILE must be the path of a file',
    ],
  ])('is one of all problems, none of which has a value: %j', (environment, problem) => {
    const given = { METRICS_TOKEN_FILE: fileOf('s3cret'), LOG_LEVEL: 'loud', ...environment };
    const found = readSettings(given).problem;
    expect(found).toContain(`\n  ${problem}`);
    expect(found).toContain('\n  LOG_LEVEL must be one of');
    expect(found).not.toContain('s3cret');
  });

  test('a wrong value in a file is not shown', () => {
    const environment = { DATABASE_URL_FILE: fileOf('mysql://user:s3cret@host/db') };
    const { problem, settings } = readSettings(environment);
    expect(problem).toContain('DATABASE_URL must be sqlite:PATH');
    expect(`${problem}${JSON.stringify(settings)}`).not.toContain('s3cret');
  });

  test('a misspelt name is named', () => {
    const environment = { METRICS_TOKEN_FLIE: 'x', DATABASE_URL_FIL: 'x', USER_PASWORD: 'x' };
    expect(readConfig(environment).misspelt).toEqual([
      'METRICS_TOKEN_FLIE is unknown: did you mean METRICS_TOKEN_FILE?',
      'DATABASE_URL_FIL is unknown: did you mean DATABASE_URL_FILE?',
      'USER_PASWORD is unknown: did you mean USER_PASSWORD?',
    ]);
  });
});

describe('settings', () => {
  const settingOf = (environment: Readonly<Record<string, string>>, name: string) => {
    const { settings } = readSettings(environment, '/program/handlers');
    const { value, source } = settings.find(({ variable }) => variable === name) ?? {};
    return [value, source];
  };

  test.each(tableOf(cases, 'settings'))(
    'of %s: %s is %s by %s',
    (environment = '', name = '', value, source) => {
      const wanted = value === 'undefined' ? undefined : value;
      expect(settingOf(JSON.parse(environment), name)).toEqual([wanted, source]);
    },
  );

  test('name the file that a value came from', () => {
    const path = fileOf('postgres://u:s3cret@h/db');
    const wanted = ['postgres://h/db', `file ${path}`];
    expect(settingOf({ DATABASE_URL_FILE: path }, 'DATABASE_URL')).toEqual(wanted);
  });
});
