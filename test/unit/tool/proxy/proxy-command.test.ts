/** `spec-first proxy`: what it refuses, the lines that it prints, and its report, in this process. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startProxy } from '../../../../src/tool/proxy/proxy-command';
import { askAt } from '../../../support/ask';
import { listen } from '../../../support/listen';
import { useTemporaryFolder } from '../../../support/temporary-folder';
import { runTool } from '../run-command';

const folder = useTemporaryFolder();

const document = `openapi: 3.1.0
info: { title: Things, version: '1' }
servers: [{ url: /v1 }]
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        '200': { description: Things, content: { application/json: { schema: { type: array, items: { type: integer } } } } }
        '400': { description: Wrong }
    post:
      operationId: addThing
      requestBody: { content: { application/xml: { schema: { type: object } }, text/csv: { schema: { type: array } } } }
      responses: { '204': { description: Done } }
  /unused:
    post: { operationId: unused, requestBody: { content: { application/xml: {} } }, responses: { '204': { description: Done } } }
`;

let upstream = '';
let answer: RequestListener;
beforeAll(async () => {
  upstream = await listen(createServer((request, response) => answer(request, response)));
});

beforeEach(() => {
  writeFileSync(folder('api.yaml'), document);
  answer = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[1,"secret-2"]');
  };
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a proxy before the upstream, and keeps what it prints. */
const start = async (settings: Partial<Parameters<typeof startProxy>[1]> = {}) => {
  const printed = { out: '', err: '' };
  const proxy = await startProxy(
    folder('api.yaml'),
    {
      upstream: new URL(`${upstream}/v1`),
      mode: 'annotate',
      timeout: 60,
      host: '127.0.0.1',
      port: 0,
      ...settings,
    },
    {
      out: (text) => {
        printed.out += text;
      },
      err: (text) => {
        printed.err += text;
      },
    },
  );
  stops.push(proxy.stop);
  return { ...proxy, ask: askAt(new URL(proxy.url).origin), printed };
};

/** The lines without what changes from run to run. */
const steady = (lines: string): readonly string[] =>
  lines.replaceAll(/\d\d:\d\d:\d\d|\d+\.\d ms|:\d+/g, '…').split('\n');

/** Stops a proxy, which writes its report; gives the report. */
const end = async (report: string): Promise<string> => {
  await stops.pop()?.();
  return readFileSync(folder(report), 'utf8');
};

test('the lines and the report say what was seen, and no value', async () => {
  const json = await start({ report: folder('seen.json') });
  const headers = { 'X-Key': 'secret-3' };
  const bad = await json.ask('GET /v1/things?limit=secret-1', { headers });
  expect(bad.headers['x-spec-first-violations']).toBe('2');
  await json.ask('GET /v1/things?limit=1');
  await json.ask('GET /v1/reset/secret-4/all');
  await json.ask('POST /v1/things', { type: 'text/csv', body: 'secret-5' });
  answer = (_, response) => {
    const headers = { 'Content-Type': 'application/json' };
    response.writeHead(200, headers).end(`[${' '.repeat(2 ** 20)}1]`);
  };
  await json.ask('GET /v1/things');
  const report = await end('seen.json');
  expect(steady(json.printed.out)).toEqual([
    '… GET    /v1/things 200 … listThings',
    '  request: query limit must be an integer',
    "  response: Expected the body's /* as its schema says: it must be an integer",
    '… GET    /v1/things 200 … listThings',
    "  response: Expected the body's /* as its schema says: it must be an integer",
    '… GET    /v1/reset/secret-4/all 200 … -',
    '  request: No operation has this path',
    '… POST   /v1/things 200 … addThing',
    '  request: The body must be one of application/xml',
    '  response: Expected a declared status: 204; seen: 200',
    '… GET    /v1/things 200 … listThings',
    '  unchecked response: The body is longer than 1 MiB',
    '',
  ]);
  expect(report).not.toContain('secret');
  const first = (path: string) => ({
    first: { time: expect.any(String), method: 'GET', path, status: 200 },
  });
  expect(JSON.parse(report)).toMatchObject({
    upstream: `${upstream}/v1`,
    mode: 'annotate',
    requests: 5,
    violations: 6,
    operations: [
      {
        operation: 'listThings',
        endpoint: 'GET /things',
        requests: 3,
        statuses: { 200: 3 },
        unchecked: { 'response: The body is longer than 1 MiB': 1 },
        violations: [
          {
            on: 'request',
            rule: 'invalid-parameter',
            place: 'query limit',
            count: 1,
            ...first('/things'),
          },
          { on: 'response', rule: 'body-invalid', place: '/*', count: 2, ...first('/things') },
        ],
        neverSeen: ['400'],
      },
      {
        operation: 'addThing',
        statuses: { 200: 1 },
        neverSeen: ['request application/xml', '204'],
      },
      { operation: 'unused', requests: 0, neverSeen: ['request application/xml', '204'] },
      {
        operation: 'no operation',
        requests: 1,
        violations: [{ rule: 'route-not-found', ...first('/v1/reset/{…}/all') }],
      },
    ],
  });
});

test('what the proxy refuses is counted as its own, and kinds of violations without end are not kept', async () => {
  const { ask } = await start({ mode: 'block', report: folder('seen.json') });
  for (let count = 0; count < 202; count += 1) {
    await ask(`GET /v1/${'abcdefghij'[count % 10]}${'x'.repeat(count / 10)}`);
  }
  const { requests, violations, operations } = JSON.parse(await end('seen.json'));
  expect([requests, violations]).toEqual([202, 202]);
  const { statuses, violations: kept, furtherViolations } = operations.at(-1);
  expect([statuses, kept.length, furtherViolations]).toEqual([{ '404 by the proxy': 202 }, 200, 2]);
});

test('a report that can no longer be written is said', async () => {
  const { ask, printed } = await start({ report: folder('seen.json') });
  await ask('GET /v1/things');
  rmSync(folder('seen.json'));
  mkdirSync(folder('seen.json'));
  await stops.pop()?.();
  expect(printed.err).toMatch(/^The report cannot be written: .*seen\.json/m);
});

const before = ['--upstream', 'http://a'];

test.each([
  [[], "required option '--upstream <url>' not specified"],
  [['--upstream', 'nowhere'], 'It must be a URL such as'],
  [['--upstream', 'ftp://a'], 'It must be a URL such as'],
  [['--upstream', 'http://user:password@a'], 'without a user name'],
  [[...before, '--mode', 'deny'], 'Allowed choices are annotate'],
  [[...before, '--port', '1e3'], 'It must be a whole number from 0 to 65535.'],
  [[...before, '--port', '70000'], 'It must be a whole number from 0 to 65535.'],
  [[...before, '--report', 'seen.txt'], 'It must end with .json'],
  [[...before, '--report', 'none/seen.json'], 'The report cannot be'],
  [[...before, '--port', '0', '--host', '192.0.2.1'], 'The server cannot listen at 192.0.2.1'],
])('%j is refused with a sentence', async (args, sentence) => {
  const { exitCode, out, err } = await runTool(['proxy', folder('api.yaml'), ...args]);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(err).toContain(sentence);
});

test('a document that is missing, and a port that is in use, are said', async () => {
  const missing = await runTool(['proxy', folder('missing.yaml'), ...before]);
  expect([missing.exitCode, missing.err]).toEqual([2, expect.stringContaining('Name a file')]);
  const { port } = new URL(upstream);
  const used = await runTool(['proxy', folder('api.yaml'), ...before, '--port', port]);
  expect(used).toEqual({
    exitCode: 2,
    out: '',
    err: expect.stringContaining(
      `Port ${port} of 127.0.0.1 is in use. Choose another by --port, or --port 0 for a free one.\n`,
    ),
  });
});
