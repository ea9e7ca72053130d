/** Documents of others, without handlers: all serve, side by side, and can be tried out. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { ask, type Question } from '../conformance/ask';
import { startTestServer, stopTestServer, type TestServer } from '../support/start';

const folder = mkdtempSync(join(tmpdir(), 'foreign-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await stopTestServer(server);
});

const startWith = async (
  documents: Readonly<Record<string, object>>,
  environment: Readonly<Record<string, string>> = {},
) => {
  const specs = mkdtempSync(join(folder, 'specs-'));
  for (const [name, document] of Object.entries(documents)) {
    const text = { openapi: '3.0.3', info: { title: name, version: '1' }, ...document };
    writeFileSync(join(specs, `${name}.json`), JSON.stringify(text));
  }
  const server = await startTestServer({
    SPECS_DIRECTORY: specs,
    HANDLERS_DIRECTORY: join(specs, 'handlers'),
    ...environment,
  });
  servers.push(server);
  return server.running;
};

const responses = { 200: { description: 'Fine', content: { 'text/plain': {} } } };
const get = (operationId: string, more: object = {}) => ({
  get: { operationId, responses, ...more },
});

describe('what is ours never hides what a document declares at the root', () => {
  const document = { paths: { '/': get('start'), '/metrics': get('metrics'), '/a/{b}': get('a') } };
  type Row = readonly [path: string, status: number, mock: string | undefined];

  test.each<[operatorPath: string, ...rows: Row[]]>([
    [
      '/',
      ['/', 200, 'true'],
      ['/metrics', 200, 'true'],
      ['/a/b', 200, 'true'],
      ['/livez', 200, undefined],
      ['/openapi.json', 200, undefined],
    ],
    [
      '/internal',
      ['/livez', 404, undefined],
      ['/internal/metrics', 200, undefined],
      ['/internal/', 200, undefined],
      ['/metrics', 200, 'true'],
    ],
  ])('with ours below %s', async (operatorPath, ...rows) => {
    const { origin } = await startWith({ box: document }, { OPERATOR_PATH: operatorPath });
    for (const [path, status, mock] of rows) {
      const answer = await ask(origin, path);
      expect([path, answer.status, answer.headers['x-mock']]).toEqual([path, status, mock]);
    }
  });
});

describe('credentials of a document without handlers', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'query', name: 'key' },
    token: { type: 'http', scheme: 'bearer' },
    basic: { type: 'http', scheme: 'basic' },
    digest: { type: 'http', scheme: 'Digest' },
    oauth: {
      type: 'oauth2',
      flows: { implicit: { authorizationUrl: 'https://a.example', scopes: { write: 'Write' } } },
    },
  };
  const secured = Object.keys(securitySchemes).map((name) => [
    `/${name}`,
    get(name, { security: [{ [name]: name === 'oauth' ? ['write'] : [] }] }),
  ]);
  const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }];
  const own = get('own', { parameters, 'x-logged-in-user': '{name}' });
  const box = {
    paths: { ...Object.fromEntries(secured), '/users/{name}': own },
    components: { securitySchemes },
  };

  const bearer = { headers: { Authorization: 'Bearer ann' } };
  const rows: readonly (readonly [path: string, question: Question, any: number, none: number])[] =
    [
      ['/key?key=x', {}, 200, 401],
      ['/key', {}, 401, 401],
      ['/token', bearer, 200, 401],
      ['/token', {}, 401, 401],
      ['/oauth', bearer, 200, 401],
      ['/basic', { headers: { Authorization: 'Basic YTpi' } }, 200, 401],
      ['/basic', { headers: { Authorization: 'Basic ?' } }, 401, 401],
      ['/digest', { headers: { Authorization: 'Digest a=b' } }, 200, 401],
      ['/users/ann', bearer, 200, 401],
      ['/users/bob', bearer, 403, 401],
    ];

  test.each<[string, Readonly<Record<string, string>>]>([
    ['outside of production any', {}],
    ['with MOCK_CREDENTIALS=none none', { MOCK_CREDENTIALS: 'none' }],
    [
      'in production none',
      { NODE_ENV: 'production', STRICT_HANDLERS: 'false', MOCK_MISSING_HANDLERS: 'true' },
    ],
  ])('%s is accepted', async (title, environment) => {
    const isAny = title.endsWith('any');
    const { origin, app } = await startWith({ box }, environment);
    const found = app.handlerFindings.map(({ message }) => message).join();
    expect(found.includes('any credential is accepted')).toBe(isAny);
    const statuses = [];
    for (const [path, question] of rows) {
      statuses.push([path, (await ask(origin, path, question)).status]);
    }
    expect(statuses).toEqual(rows.map(([path, , any, none]) => [path, isAny ? any : none]));
  });
});

test('a hundred documents start with demo data, each at a path of its own', async () => {
  const documents = Array.from({ length: 100 }, (_, index) => [
    `box${index}`,
    { paths: { '/a': get('a') } },
  ]);
  const { app, origin } = await startWith(Object.fromEntries(documents));
  expect(app.documents).toHaveLength(100);
  const statuses = [];
  for (const path of ['/a', '/box1/a', '/box99/a']) {
    statuses.push((await ask(origin, path)).status);
  }
  expect(statuses).toEqual([200, 200, 200]);
});
