import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig, readSettings } from '../../../../src/server/config/config';

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

  test.each<[Readonly<Record<string, string>>, string, string | undefined, string]>([
    [{}, 'PORT', '8080', 'default'],
    [{ PORT: '81' }, 'PORT', '81', 'environment'],
    [{ PORT: 'x' }, 'PORT', '(invalid)', 'environment'],
    [{}, 'PUBLIC_URL', undefined, 'default'],
    [{ PUBLIC_URL: 'https://a.example/' }, 'PUBLIC_URL', 'https://a.example/', 'environment'],
    [{}, 'DEMO_DATA', 'true', 'default'],
    [{ NODE_ENV: 'production' }, 'DEMO_DATA', 'false', 'default in production'],
    [{ NODE_ENV: 'production', DEMO_DATA: 'true' }, 'DEMO_DATA', 'true', 'environment'],
    [{}, 'MCP', 'true', 'default'],
    [{ NODE_ENV: 'production' }, 'MCP', 'false', 'default in production'],
    [{ NODE_ENV: 'production' }, 'WORKERS', '1', 'default'],
    [{ NODE_ENV: 'production' }, 'MOCK_CREDENTIALS', 'none', 'default in production'],
    [{}, 'MISFITTING_ITEMS', 'leave-out', 'default'],
    [{}, 'HANDLERS_DIRECTORY', '/program/handlers', 'default'],
    [{ MAX_CONNECTIONS: '100' }, 'MAX_CONNECTIONS_PER_ADDRESS', '75', 'default'],
    [{ AUTH_ISSUER: 'https://a.example' }, 'AUTH_URL', 'https://a.example', 'default'],
    [{}, 'BASE_PATHS', undefined, 'default'],
    [{ BASE_PATHS: 'shop=/shop' }, 'BASE_PATHS', 'shop=/shop', 'environment'],
    [{ CORS_ORIGINS: 'https://a.example' }, 'CORS_ORIGINS', 'https://a.example', 'environment'],
    [{}, 'METRICS_TOKEN', undefined, 'default'],
    [{ METRICS_TOKEN: 's3cret' }, 'METRICS_TOKEN', '(set)', 'environment'],
    [
      { DATABASE_URL: 'postgres://u:s3cret@h:1/db?password=s3cret' },
      'DATABASE_URL',
      'postgres://h:1/db',
      'environment',
    ],
    [{ DATABASE_URL: 'sqlite:a b.sqlite' }, 'DATABASE_URL', 'sqlite:a b.sqlite', 'environment'],
    [
      {
        AUTH_ISSUER: 'https://a.example',
        AUTH_JWKS_URL: 'https://u:s3cret@b.example/k?app=s3cret',
      },
      'AUTH_JWKS_URL',
      'https://b.example',
      'environment',
    ],
  ])('of %j: %s is %s by %s', (environment, name, value, source) => {
    expect(settingOf(environment, name)).toEqual([value, source]);
  });

  test('name the file that a value came from', () => {
    const path = fileOf('postgres://u:s3cret@h/db');
    const wanted = ['postgres://h/db', `file ${path}`];
    expect(settingOf({ DATABASE_URL_FILE: path }, 'DATABASE_URL')).toEqual(wanted);
  });
});
