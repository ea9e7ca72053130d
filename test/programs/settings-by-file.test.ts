/** Settings of the program that files hold: they are in force, and no output has a secret of them. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { askAt } from '../support/ask';
import { useProgram } from '../support/program';

const program = useProgram();

const fileOf = (name: string, content: string): string => {
  const path = join(program().directory, name);
  writeFileSync(path, content);
  return path;
};

test('a server runs by them, and tells no secret at the most talkative level', async () => {
  const token = 'S3cret-of-metrics';
  const environment = {
    METRICS_TOKEN_FILE: fileOf('token', `${token}\n`),
    DATABASE_URL_FILE: fileOf('url', `sqlite:${join(program().directory, 'data.sqlite')}`),
    LOG_LEVEL: 'trace',
    METRICS_TOKEN_FLIE: 'x',
  };
  const server = await program().start(environment);
  const ask = askAt(server.origin);
  expect((await ask('GET /metrics')).status).toBe(401);
  expect((await ask('GET /metrics', { token })).status).toBe(200);
  expect((await ask('GET /metrics', { token: `${token}x` })).status).toBe(401);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.output()).toContain('did you mean METRICS_TOKEN_FILE?');
  expect(server.output()).not.toContain(token);
});

test('a wrong password of a database is in no error', async () => {
  const secret = 'S3cret-of-database';
  const url = `postgres://user:${secret}@127.0.0.1:1/db`;
  const environments = [
    { DATABASE_URL_FILE: fileOf('unreachable', url) },
    { DATABASE_URL_FILE: fileOf('unusable', `${url}?sslmode=${secret}`) },
  ];
  for (const environment of environments) {
    const { exitCode, out, err } = await program().fail({ ...environment, LOG_LEVEL: 'trace' });
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/^\S/);
    expect(err).not.toContain(secret);
  }
});

test('admin config needs neither documents nor a database', async () => {
  const environment = {
    SPECS_DIRECTORY: '/nowhere',
    HANDLERS_DIRECTORY: '/nowhere',
    DATABASE_URL: 'postgres://user:S3cret@127.0.0.1:1/db',
  };
  const { exitCode, out, err } = await program().admin(environment, 'config');
  expect([exitCode, err]).toEqual([0, '']);
  expect(out).toContain('\nSPECS_DIRECTORY\t/nowhere\tenvironment\n');
  expect(out).toContain('\nDATABASE_URL\tpostgres://127.0.0.1:1/db\tenvironment\n');
});

test('admin commands take their own secrets from files, and not at all where one is unreadable', async () => {
  const source = join(program().directory, 'missing.sqlite');
  const environment = {
    COPY_FROM_URL: `sqlite:${source}`,
    COPY_TO_URL_FILE: fileOf('to', 'sqlite:x'),
  };
  const copied = await program().admin(environment, 'copy');
  expect(copied).toEqual({ exitCode: 2, out: '', err: `There is no database "${source}".\n` });
  const refused = await program().admin({ USER_PASSWORD_FILE: source }, 'copy');
  expect([refused.exitCode, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain(
    `USER_PASSWORD_FILE names "${source}", which cannot be read (ENOENT)`,
  );
});

test('a reader that has gone makes no stack of admin config', async () => {
  const command = `'${process.execPath}' '${program().build}/src/admin.js' config | true`;
  const { stderr } = await promisify(execFile)('sh', ['-c', command], { cwd: rootFolder });
  expect(stderr).toBe('The output cannot be written: write EPIPE\n');
});
