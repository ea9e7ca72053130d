/** The start of the program as a process: what it prints, and how it fails. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { askAt } from '../support/ask';
import { expectOk } from '../support/expect-ok';
import { useNewDatabases } from '../support/new-database';
import { useProgram } from '../support/program';

const program = useProgram();

const newDatabase = useNewDatabases();
let environment: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  environment = { DATABASE_URL: await newDatabase() };
});

describe('the start', () => {
  let origin = '';
  let output = '';
  beforeAll(async () => {
    const running = await program().start(environment);
    ({ origin } = running);
    expectOk(await askAt(origin)('GET /petstore/store/order/1'));
    expect(await running.end('SIGTERM')).toBe(0);
    output = running.output();
  });

  test('prints addresses and demo credentials', () => {
    expect(output).toContain(`petstore: ${origin}/petstore (19 operations)`);
    expect(output).toContain(`ads: ${origin}/ads (4 operations)`);
    expect(output).toMatch(/demo \/ demo-password .*special-key/);
  });

  test.each<[string, RegExp, RegExp]>([
    ['the dangling reference', /Category/, /\$ref: '#\/components\/schemas\/Category'/],
    ['the undeclared scope write:ads', /write:ads/, /write:ads, read:ads/],
    ['the undeclared scope read:ads', /read:ads/, /write:ads, read:ads/],
  ])('warns of %s where it stands', (_, message, place) => {
    const warnings = output.split('\n').filter((line) => /warning:/.test(line));
    const warning = warnings.find((line) => message.test(line)) ?? '';
    const [, file = '', line, column] =
      /^(specs\/ads\.yaml):(\d+):(\d+) warning: /.exec(warning) ?? [];
    const text = readFileSync(join(__dirname, '../..', file), 'utf8').split('\n');
    const rest = text[Number(line) - 1] ?? '';
    expect(Number(column)).toBeGreaterThan(0);
    expect(rest.slice(Number(column) - 1) + rest).toMatch(place);
    expect(warnings.filter((other) => other.startsWith('specs/petstore.yaml'))).toEqual([]);
  });

  test('fails with every fault of the environment at once', async () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'loud', DEMO_DATA: 'perhaps', AUTH_URL: 'elsewhere' };
    const { exitCode, out, err } = await program().fail({ ...environment, ...wrong });
    expect([exitCode, out]).toEqual([1, '']);
    for (const name of Object.keys(wrong))
      expect(err).toMatch(new RegExp(`^ {2}${name} must be`, 'm'));
    expect(err).not.toMatch(/\n\s+at /);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['a database that is a folder', { DATABASE_URL: 'sqlite:specs' }, /specs/],
    ['no documents', { SPECS_DIRECTORY: 'handlers' }, /no OpenAPI document/],
    ['a folder that is not there', { SPECS_DIRECTORY: 'nowhere' }, /nowhere/],
    ['a host that is not here', { HOST: '192.0.2.1' }, /192\.0\.2\.1/],
  ])('fails in one sentence for %s', async (_, wrong, sentence) => {
    const { exitCode, out, err } = await program().fail({ ...environment, ...wrong });
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('fails in one sentence for a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { exitCode, err } = await program().fail({ ...environment, PORT: String(port) });
    other.close();
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/EADDRINUSE.*\n$/)]);
  });
});
