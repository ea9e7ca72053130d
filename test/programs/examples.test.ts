/** The programs of test/examples, as users of the package run them, give the same responses to the same requests. */

import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { ask, runExample, startExample } from '../support/example-program';
import { useInstalledPackage } from '../support/installed-package';

const folder = useInstalledPackage('express', 'fastify', 'hono', '@types/express', '@types/node');

beforeAll(() => cp(join(rootFolder, 'test/examples'), folder(), { recursive: true }));

type Case = readonly [status: number, body: RegExp, ...request: string[]];

const cases: readonly Case[] = [
  [200, /^\{"id":9007199254740993,"title":"Emma",/, 'GET /v1/books/9007199254740993'],
  [
    200,
    /<book id="9007199254740993"><t/,
    'GET /v1/books/9007199254740993',
    'Accept: application/xml',
  ],
  [404, /No such book/, 'GET /v1/books/1'],
  [400, /"path":"id"/, 'GET /v1/books/x'],
  [400, /"path":"limit"/, 'GET /v1/books?limit=0'],
  [404, /route-not-found/, 'GET /v1/nothing'],
  [405, /method-not-allowed/, 'PUT /v1/books'],
  [200, /"title":"Books"/, 'GET /v1/openapi.json'],
  [401, /X-API-Key/, 'POST /v1/books', 'X-API-Key: wrong', '{"title":"Emma"}'],
  [400, /"path":"\/author".*"path":"\/title"/, 'POST /v1/books', '{"title":""}'],
  [415, /application\/xml/, 'POST /v1/books', 'Content-Type: text/csv', 'Emma'],
];

const addXml = ['POST /v1/books', 'Content-Type: application/xml'];

const stored: readonly Case[] = [
  [201, /"id":9007199254740994\b/, 'POST /v1/books', '{"title":"Lolly","author":"Sylvia"}'],
  [201, /"Persuasion"/, ...addXml, '<book><title>Persuasion</title><author>Jane</author></book>'],
  [200, /^\[\{[^{]*"Persuasion"[^{]*\}\]$/, 'GET /v1/books?author=Jane'],
  [204, /^$/, 'DELETE /v1/books/9007199254740994'],
  [404, /No such book/, 'GET /v1/books/9007199254740994'],
];

const ownRoute: Case = [200, /^ok$/, 'GET /health'];

const programs: Readonly<Record<string, readonly Case[]>> = {
  'node-http.ts': stored,
  'express.ts': [...stored, ownRoute],
  'fastify.ts': [...stored, ownRoute],
  'run-fetch.mjs ./hono.ts': [...stored, ownRoute],
  'run-fetch.mjs ./worker.ts': stored,
  'untyped.cjs': [[200, /^\[\{"id":/, 'GET /v1/books']],
};

describe.each(Object.entries(programs))('%s', (program, more) => {
  let origin = '';
  beforeAll(async () => {
    origin = await startExample(folder(), ...program.split(' '));
  });

  test.each([...cases, ...more])('%i %s: %s', async (status, body, ...request) => {
    const response = await ask(origin, request);
    expect(response).toEqual({ status, text: expect.stringMatching(body) });
  });
});

test('the contract test runs in node:test', async () => {
  const { exitCode, output } = await runExample(folder(), '--test', 'contract-test.ts');
  expect(output).toContain('the books keep their contract');
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
});

test('unit tests run without a network', async () => {
  const { exitCode, output } = await runExample(folder(), '--test', 'unit-test.ts');
  expect({ exitCode, output }).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('a handler of the test answers beside the mocks'),
  });
});

test('the types are those that the program writes', async () => {
  const types = ['types', 'books.yaml', '--out', 'api.ts', '--check'];
  const ended = await runExample(folder(), folder('node_modules/.bin/spec-first'), ...types);
  expect(ended).toMatchObject({ exitCode: 0 });
});

test('the programs compile with strict types', async () => {
  const compiler = join(rootFolder, 'node_modules/.bin/tsc');
  const run = promisify(execFile)(compiler, ['-p', '.', '--pretty', 'false'], { cwd: folder() });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  // What lies in packages is theirs.
  expect(stdout.split('\n').filter((line) => /^\w/.test(line))).toEqual([]);
});
