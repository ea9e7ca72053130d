/** `spec-first proxy` as a process of its own: its lines, its report, its exit codes, and its end by a signal. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { buildProgram } from '../../scripts/machine/build-program';
import { askAt } from '../support/ask';
import { eventually } from '../support/eventually';
import { listen } from '../support/listen';
import { oncePerRun } from '../support/run/once-per-run';
import { useTemporaryFolder } from '../support/temporary-folder';

let build = '';
beforeAll(async () => {
  build = await oncePerRun('program', buildProgram);
});

const folder = useTemporaryFolder();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

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
  /unused:
    post: { operationId: unused, requestBody: { content: { application/xml: {} } }, responses: { '204': { description: Done } } }
`;

/** Starts the command in the folder of the test. */
const start = (...args: readonly string[]) => {
  writeFileSync(folder('api.yaml'), document);
  const program = join(build, 'src/tool/main.js');
  const child = spawn(process.execPath, [program, 'proxy', ...args], {
    cwd: folder(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const printed = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => {
    printed.out += text;
  });
  child.stderr.on('data', (text: Buffer) => {
    printed.err += text;
  });
  const ended = once(child, 'close').then(([code]): unknown => code);
  return { child, printed, ended };
};

const upstream = () =>
  listen(
    createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('[1,"secret-2"]');
    }),
  );

test.each(['json', 'html'])('the report as %s says what was seen, and no value', async (format) => {
  const url = `${await upstream()}/v1`;
  const { child, printed, ended } = start(
    ...['api.yaml', '--upstream', url, '--port', '0', '--report', `seen.${format}`],
  );
  const origin = await eventually('it listens', () => /http:\/\/[\d.]+:\d+/.exec(printed.out)?.[0]);
  const ask = askAt(origin);
  const bad = await ask('GET /v1/things?limit=secret-1', { headers: { 'X-Key': 'secret-3' } });
  expect(bad.headers['x-spec-first-violations']).toBe('2');
  await ask('GET /v1/things?limit=1');
  await ask('GET /v1/reset/secret-4/all');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(printed.err).toBe('');
  const lines = printed.out.replaceAll(/\d\d:\d\d:\d\d|\d+\.\d ms|:\d+/g, '…').split('\n');
  expect(lines).toEqual([
    'http://127.0.0.1…/v1 passes requests to http://127.0.0.1…/v1',
    '… GET    /v1/things 200 … listThings',
    '  request: query limit must be an integer',
    "  response: Expected the body's /* as its schema says: it must be an integer",
    '… GET    /v1/things 200 … listThings',
    "  response: Expected the body's /* as its schema says: it must be an integer",
    '… GET    /v1/reset/secret-4/all 200 … -',
    '  request: No operation has this path',
    '',
  ]);
  const report = readFileSync(folder(`seen.${format}`), 'utf8');
  expect(report).not.toContain('secret');
  if (format === 'html') {
    expect(report).toContain('<h1>Things 1</h1>');
    expect(report).toMatch(/id="unseen"[\s\S]*\/unused[\s\S]*id="operations"/);
    return;
  }
  const first = (path: string) => ({
    first: { time: expect.any(String), method: 'GET', path, status: 200 },
  });
  expect(JSON.parse(report)).toMatchObject({
    upstream: url,
    mode: 'annotate',
    requests: 3,
    violations: 4,
    operations: [
      {
        operation: 'listThings',
        endpoint: 'GET /things',
        requests: 2,
        statuses: { 200: 2 },
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
      { operation: 'unused', requests: 0, neverSeen: ['request application/xml', '204'] },
      {
        operation: 'no operation',
        requests: 1,
        violations: [{ rule: 'route-not-found', ...first('/v1/reset/{…}/all') }],
      },
    ],
  });
});

test.each([
  [['api.yaml'], "required option '--upstream <url>' not specified"],
  [['api.yaml', '--upstream', 'ftp://a'], 'It must be a URL such as'],
  [['api.yaml', '--upstream', 'http://user:password@a'], 'without a user name'],
  [['api.yaml', '--upstream', 'http://a', '--mode', 'deny'], 'Allowed choices are annotate'],
  [['api.yaml', '--upstream', 'http://a', '--report', 'seen.txt'], 'It must end with .json or'],
  [['api.yaml', '--upstream', 'http://a', '--report', 'none/seen.json'], 'The report cannot be'],
  [['missing.yaml', '--upstream', 'http://a'], 'Name a file that is there.'],
])('%j is refused with a sentence', async (args, sentence) => {
  const { printed, ended } = start(...args);
  expect(await ended).toBe(2);
  expect(printed.err).toContain(sentence);
});

test('a port that is in use is said', async () => {
  const { port } = new URL(await upstream());
  const { printed, ended } = start('api.yaml', '--upstream', 'http://a', '--port', port);
  expect(await ended).toBe(2);
  expect(printed.err).toBe(
    `Port ${port} of 127.0.0.1 is in use. Choose another by --port, or --port 0 for a free one.\n`,
  );
});
