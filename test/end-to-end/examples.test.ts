/** The programs of test/examples, as users of the package run them, give the same responses to the same requests. */

import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { apiKey, runExample, startExample } from '../support/example-program';
import { useInstalledPackage } from '../support/linked-package';

const folder = useInstalledPackage('express', 'fastify', 'hono', '@types/express', '@types/node');

beforeAll(() => cp(join(rootFolder, 'test/examples'), folder(), { recursive: true }));

interface Case {
  readonly name: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly status: number;
  readonly body?: string | RegExp;
}

const json = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
  body,
});
const emma = '{"id":9007199254740993,"title":"Emma","author":"Jane Austen"}';

const reads: readonly Case[] = [
  { name: 'JSON, digit by digit', path: '/v1/books/9007199254740993', status: 200, body: emma },
  {
    name: 'XML',
    path: '/v1/books/9007199254740993',
    init: { headers: { Accept: 'application/xml' } },
    status: 200,
    body: /<book id="9007199254740993"><title>Emma<\/title>/,
  },
  { name: 'an unknown book', path: '/v1/books/1', status: 404, body: /No such book/ },
  { name: 'a wrong id', path: '/v1/books/x', status: 400, body: /"path":"id"/ },
  { name: 'a wrong limit', path: '/v1/books?limit=0', status: 400, body: /"path":"limit"/ },
  { name: 'a wrong path', path: '/v1/nothing', status: 404, body: /route-not-found/ },
  { name: 'a wrong method', path: '/v1/books', init: { method: 'PUT' }, status: 405 },
  { name: 'the document', path: '/v1/openapi.json', status: 200, body: /"title":"Books"/ },
];

const writes: readonly Case[] = [
  { name: 'no key', path: '/v1/books', init: { method: 'POST' }, status: 401 },
  {
    name: 'a wrong body',
    path: '/v1/books',
    init: json('{"title":""}'),
    status: 400,
    body: /"path":"\/author".*"path":"\/title"/,
  },
  {
    name: 'another media type',
    path: '/v1/books',
    init: { ...json('a'), headers: { 'Content-Type': 'text/csv', 'X-API-Key': apiKey } },
    status: 415,
  },
];

const stored: readonly Case[] = [
  {
    name: 'a book as JSON',
    path: '/v1/books',
    init: json('{"title":"Lolly Willowes","author":"Sylvia Townsend Warner"}'),
    status: 201,
    body: /^\{.*"id":9007199254740994\b.*\}$/,
  },
  {
    name: 'a book as XML',
    path: '/v1/books',
    init: {
      method: 'POST',
      headers: { 'Content-Type': 'application/xml', 'X-API-Key': apiKey },
      body: '<book><title>Persuasion</title><author>Jane Austen</author></book>',
    },
    status: 201,
    body: /"title":"Persuasion"/,
  },
  {
    name: 'books of an author',
    path: '/v1/books?author=Jane%20Austen',
    status: 200,
    body: /^\[[^L]*Emma[^L]*Persuasion[^L]*\]$/,
  },
  {
    name: 'a deleted book',
    path: '/v1/books/9007199254740994',
    init: { method: 'DELETE', headers: { 'X-API-Key': apiKey } },
    status: 204,
    body: '',
  },
  { name: 'what is gone', path: '/v1/books/9007199254740994', status: 404 },
];

const health: Case = { name: 'its own route', path: '/health', status: 200, body: 'ok' };

const programs: readonly { readonly args: readonly string[]; readonly cases: readonly Case[] }[] = [
  { args: ['node-http.ts'], cases: [...reads, ...writes, ...stored] },
  { args: ['express.ts'], cases: [...reads, ...writes, ...stored, health] },
  { args: ['fastify.ts'], cases: [...reads, ...writes, ...stored, health] },
  { args: ['run-fetch.mjs', './hono.ts'], cases: [...reads, ...writes, ...stored, health] },
  { args: ['run-fetch.mjs', './worker.ts'], cases: [...reads, ...writes, ...stored] },
  {
    args: ['untyped.cjs'],
    cases: [
      ...reads,
      ...writes,
      { name: 'a mock', path: '/v1/books', status: 200, body: /^\[\{"id":/ },
    ],
  },
];

describe.each(programs)('$args', ({ args, cases }) => {
  let origin = '';
  beforeAll(async () => {
    origin = await startExample(folder(), ...args);
  });

  test.each(cases)('$name', async ({ path, init = {}, status, body = /^/ }) => {
    const response = await fetch(origin + path, init);
    const text = await response.text();
    expect({ status: response.status, text }).toEqual({
      status,
      text: typeof body === 'string' ? body : expect.stringMatching(body),
    });
  });
});

test('the contract test runs in node:test', async () => {
  const { exitCode, output } = await runExample(folder(), '--test', 'contract-test.ts');
  expect(output).toContain('the books keep their contract');
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
});

test('the programs compile with strict types', async () => {
  const compiler = join(rootFolder, 'node_modules/.bin/tsc');
  const run = promisify(execFile)(compiler, ['-p', '.', '--pretty', 'false'], { cwd: folder() });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  // What lies in packages is theirs.
  expect(stdout.split('\n').filter((line) => /^\w/.test(line))).toEqual([]);
});
