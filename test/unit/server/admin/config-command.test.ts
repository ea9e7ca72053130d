import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSettings } from '../../../../src/server/config/config';
import { runIn } from './run-command';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-command-'));
  writeFileSync(join(folder, 'url'), 'postgres://user:s3cret@db.example/shop\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const config = (environment: Readonly<Record<string, string>>, ...args: string[]) =>
  runIn({ settings: readSettings(environment) }, ['config', ...args]);

test('prints every setting on a line, and secrets by neither way', async () => {
  const path = join(folder, 'url');
  const environment = { METRICS_TOKEN: 's3cret', DATABASE_URL_FILE: path, PROT: '81' };
  const { exitCode, out, err } = await config(environment);
  expect([exitCode, err]).toEqual([0, '']);
  const lines = out.trimEnd().split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'PORT\t8080\tdefault',
      'PUBLIC_URL\t\tdefault',
      'METRICS_TOKEN\t(set)\tenvironment',
      `DATABASE_URL\tpostgres://db.example/shop\tfile ${path}`,
    ]),
  );
  expect(lines).toHaveLength(readSettings({}).settings.length + 1);
  expect(lines.at(-1)).toBe('PROT is unknown: did you mean PORT?');
  expect(out).not.toContain('s3cret');
});

test('prints what is wrong, with exit code 1, also as JSON', async () => {
  const environment = { PORT: 'x', NODE_ENV: 'production', METRICS_TOKEN: 's3cret' };
  const { exitCode, out, err } = await config(environment, '--format', 'json');
  const problem = 'The environment is invalid:\n  PORT must be a whole number from 0 to 65535';
  expect([exitCode, err]).toEqual([1, `${problem}\n`]);
  const printed = JSON.parse(out);
  expect(printed).toMatchObject({ problem, misspelt: [] });
  expect(printed.settings).toEqual(
    expect.arrayContaining([
      { variable: 'PORT', value: '(invalid)', source: 'environment' },
      { variable: 'PUBLIC_URL', source: 'default' },
      { variable: 'DEMO_DATA', value: 'false', source: 'default in production' },
    ]),
  );
  expect(out).not.toContain('s3cret');
});
