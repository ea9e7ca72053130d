/** The start of the program as a process: what it prints, and how it fails. */

import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '../../scripts/machine/free-port';
import { until } from '../../scripts/machine/until';
import { askAt } from '../support/ask';
import { expectOk } from '../support/expect-ok';
import { useNewDatabases } from '../support/new-database';
import { useProgram } from '../support/program';
import { isOpen } from '../support/raw-socket';

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
    const wrong = { PORT: 'x', LOG_LEVEL: 'loud', WORKERS: '65', AUTH_URL: 'elsewhere' };
    const { exitCode, out, err } = await program().fail({ ...environment, ...wrong });
    expect([exitCode, out]).toEqual([1, '']);
    for (const name of Object.keys(wrong))
      expect(err).toMatch(new RegExp(`^ {2}${name} must be`, 'm'));
    expect(err).not.toMatch(/\n\s+at /);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['no documents', { SPECS_DIRECTORY: 'handlers' }, /no OpenAPI document/],
    ['a host that is not here', { HOST: '192.0.2.1' }, /192\.0\.2\.1/],
  ])('fails in one sentence for %s', async (_, wrong, sentence) => {
    const { exitCode, out, err } = await program().fail({ ...environment, ...wrong });
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('takes no connection before it can serve, so that a balancer goes on to another server', async () => {
    const folder = await mkdtemp(join(program().directory, 'waiting-'));
    await cp(join(program().build, 'handlers'), join(folder, 'handlers'), { recursive: true });
    const [begun, go] = [join(folder, 'begun'), join(folder, 'go')];
    const wait = `
      const { existsSync, mkdirSync } = require('node:fs');
      const cell = new Int32Array(new SharedArrayBuffer(4));
      mkdirSync(${JSON.stringify(begun)});
      while (!existsSync(${JSON.stringify(go)})) Atomics.wait(cell, 0, 0, 20);
    `;
    await writeFile(join(folder, 'handlers/ads/waiting.js'), wait);
    const port = await freePort();
    const running = program().start({
      DATABASE_URL: `sqlite:${join(folder, 'services.sqlite')}`,
      HANDLERS_DIRECTORY: join(folder, 'handlers'),
      PORT: String(port),
    });
    await until('the handlers are loaded', () => existsSync(begun));
    expect(await isOpen(`http://127.0.0.1:${port}`)).toBe(false);
    await mkdir(go);
    expect((await askAt((await running).origin)('GET /livez')).status).toBe(200);
  });

  describe('that is refused touches no database', () => {
    const production = { NODE_ENV: 'production' };
    let folder = '';
    beforeEach(async () => {
      folder = await mkdtemp(join(program().directory, 'refused-'));
      await cp('specs', join(folder, 'specs'), { recursive: true });
      await cp(join(program().build, 'handlers'), join(folder, 'handlers'), { recursive: true });
    });
    const save = (name: string, text: string) => (): Promise<void> =>
      writeFile(join(folder, name), text);

    test.each<[string, Readonly<Record<string, string>>, () => Promise<unknown>, sentence: RegExp]>(
      [
        [
          'a document that cannot be read, in production',
          production,
          save('specs/ads.yaml', 'openapi: [\n'),
          /specs\/ads\.yaml:\d+:\d+ error: .*\nIn production every document must be served, and this one cannot be: \S+specs\/ads\.yaml\. Correct it, or take it out of \S+specs\.\n$/s,
        ],
        [
          'handlers without their document, in production',
          production,
          () => rm(join(folder, 'specs/ads.yaml')),
          /handlers\/ads: there is no document ads in \S+specs\. Put it back, or remove the folder\.\n$/,
        ],
        [
          'the same, with two workers',
          { ...production, WORKERS: '2' },
          () => rm(join(folder, 'specs/ads.yaml')),
          /^\S+handlers\/ads: there is no document ads in \S+specs\. Put it back, or remove the folder\.\n$/,
        ],
        [
          'documents with errors, where they have to be without',
          { STRICT_DOCUMENTS: 'true' },
          save('specs/ads.yaml', 'openapi: [\n'),
          /Nothing is served while a document has errors/,
        ],
      ],
    )('%s', async (_, given, arrange, sentence) => {
      await arrange();
      const { exitCode, out, err } = await program().fail({
        SPECS_DIRECTORY: join(folder, 'specs'),
        HANDLERS_DIRECTORY: join(folder, 'handlers'),
        DATABASE_URL: `sqlite:${join(folder, 'data/services.sqlite')}`,
        ...given,
      });
      expect([exitCode, out, err]).toEqual([1, '', expect.stringMatching(sentence)]);
      expect(existsSync(join(folder, 'data'))).toBe(false);
    });

    test('a document that cannot be read is told of outside of production, and the rest is served', async () => {
      await save('specs/ads.yaml', 'openapi: [\n')();
      const running = await program().start({
        SPECS_DIRECTORY: join(folder, 'specs'),
        HANDLERS_DIRECTORY: join(folder, 'handlers'),
        DATABASE_URL: `sqlite:${join(folder, 'data/services.sqlite')}`,
      });
      expect(running.output()).toMatch(/^\S+specs\/ads\.yaml:\d+:\d+ error: /m);
      const unused = /handlers\/ads: no document ads is served/;
      await until('the line', () => unused.test(running.output()));
      const ask = askAt(running.origin);
      expect((await ask('GET /readyz')).text).toBe('ready\nads: unserved\npetstore: current\n');
      expect(await running.end('SIGTERM')).toBe(0);
    });
  });
});

test.each<[string, number, RegExp, RegExp]>([
  ['--help', 0, /^Usage: [\s\S]*--strict[\s\S]*src\/server\/configuration\.md/, /^$/],
  ['--strct', 2, /^$/, /unknown option '--strct'[\s\S]*--strict/],
  ['serve', 2, /^$/, /too many arguments/],
])(
  'the argument %s ends the program before it opens anything',
  async (argument, code, out, err) => {
    const ended = await program().fail({ DATABASE_URL: 'sqlite:/dev/null/x' }, argument);
    expect(ended).toEqual({
      exitCode: code,
      out: expect.stringMatching(out),
      err: expect.stringMatching(err),
    });
  },
);
