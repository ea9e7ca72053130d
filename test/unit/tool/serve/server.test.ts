/** Documents are served as they are written: by handlers, by mocks, with a page for readers and a line for each request. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { until } from '../../../../scripts/machine/until';
import { listen } from '../../../support/listen';
import { sendRaw } from '../../../support/raw-socket';
import { runTool } from '../run-command';
import { greeting, useServing } from './serving';

const { folder, write, serve } = useServing();

describe('documents', () => {
  test('of a folder are found, and those with the same path are served at their names', async () => {
    write({
      'a.yaml': greeting('first'),
      'b.yaml': greeting('second'),
      'c.json': '{ "name": "no document" }',
      'd.yaml': greeting('third', 'servers: [{ url: https://example.com/v1 }]'),
      'empty.yaml': '',
      'e.yaml': 'openapi: [',
    });
    const { ask, origin, err } = await serve({});
    const { documents } = JSON.parse((await ask('GET /')).text);
    const urls = documents.map((one: { name: string; url: string }) => [one.name, one.url]);
    expect(urls).toEqual([
      ['a', origin],
      ['b', `${origin}/b`],
      ['d', `${origin}/v1`],
    ]);
    for (const path of ['/first/x', '/b/second/x', '/v1/third/x', '/v1/openapi.json']) {
      expect([path, (await ask(`GET ${path}`)).status]).toEqual([path, 200]);
    }
    for (const [target, status] of [
      ['GET /third/x', 404],
      ['GET /v1', 404],
      ['GET /nothing', 404],
      ['POST /', 405],
      ['GET /v1/third/toolong', 400],
    ] as const) {
      expect([target, (await ask(target)).status]).toEqual([target, status]);
    }
    expect(err()).toContain(
      `${folder('a.yaml')} has the same server path /, so that this document is served at /b.`,
    );
    expect(err()).toMatch(/e\.yaml:1:\d+ error: /);
    expect(err()).not.toMatch(/c\.json|empty\.yaml/);
  });

  test('in the place of operations of another one are told', async () => {
    write({ 'a.yaml': greeting('first'), 'b.yaml': greeting('b', 'servers: [{ url: /first }]') });
    const { err } = await serve({});
    const sentence = `The server path /first takes the requests of GET /first/{name} of ${folder('a.yaml')}`;
    expect(err()).toContain(sentence);
    const checked = await runTool(['check', folder('a.yaml'), folder('b.yaml')]);
    expect(checked.out).toContain(sentence);
    expect((await runTool(['check', folder('b.yaml')])).out).not.toContain('server path');
  });

  test('a path beside them is answered by theirs', async () => {
    for (let at = 1; at <= 7; at += 1) {
      const server = `servers: [{ url: /v${at} }]`;
      write({ [`${at}.yaml`]: greeting(`op${at}`, server) });
    }
    const one = await serve({ sources: [folder('1.yaml')] });
    const { status, text } = await one.ask('GET /op1/x');
    expect([status, JSON.parse(text).message]).toEqual([
      404,
      'No operation has this path: operations are served below /v1',
    ]);
    expect(JSON.parse((await one.ask('GET /v1/op')).text).message).toBe(
      'No operation has this path',
    );
    const all = await (await serve({})).ask('GET /openapi.json');
    expect(all.text).toContain('served below /v1, /v2, /v3, /v4, /v5 and others"');
  });

  test('are read from other servers where that is allowed, with what they refer to', async () => {
    const parts: Readonly<Record<string, string>> = {
      '/api.yaml': greeting('far').replace(
        'type: object, example: { text: hello }',
        "$ref: 'part.yaml'",
      ),
      '/part.yaml': 'type: object\nexample: { text: far }',
    };
    const other = createServer((request, response) => response.end(parts[request.url ?? '']));
    const url = `${await listen(other)}/api.yaml`;
    const refused = serve({ sources: [url] });
    await expect(refused).rejects.toThrow('api.yaml has no OpenAPI document to serve');
    const { ask } = await serve({ sources: [url], allowRemote: true });
    expect((await ask('GET /far/x')).text).toBe('{"text":"far"}');
  });

  test.each([
    ['Host: a\r\nHost: b\r\n', [400]],
    ['Host: a b\r\n', [400]],
    ['Host: a\r\nTransfer-Encoding: gzip, chunked\r\n', [501]],
    ['Host: a\r\nExpect: 100-continue\r\nContent-Type: a/b\r\nContent-Length: 9\r\n', [415]],
    ['Host: a\r\nExpect: 100-continue\r\nContent-Length: 999999999\r\n', [413]],
    ['Host: a\r\nExpect: 100-continue\r\nAccept: a/b\r\nContent-Length: 9\r\n', [406]],
    ['Host: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n1', [100, 200]],
  ])('a head that decides is answered at once: %j', async (head, statuses) => {
    write({
      'a.yaml': greeting('first')
        .replace('get:', 'post:')
        .replace(
          'responses:',
          'requestBody: { content: { application/json: {} } }\n      responses:',
        ),
    });
    const { origin } = await serve({});
    const type = head.includes('Content-Type') ? '' : 'Content-Type: application/json\r\n';
    const bytes = `POST /first/x HTTP/1.1\r\nConnection: close\r\n${type}${head}${head.endsWith('1') ? '' : '\r\n'}`;
    expect((await sendRaw(origin, bytes)).statuses).toEqual(statuses);
  });

  test.each([
    [
      'a missing file',
      { sources: ['missing.yaml'] },
      'missing.yaml has no OpenAPI document to serve',
    ],
    [
      'many missing files',
      { sources: Array.from({ length: 21 }, (_, at) => `missing-${at}.yaml`) },
      '1 more; spec-first check FILE shows all',
    ],
    ['a missing folder of handlers', { handlers: 'nowhere' }, /There is no folder \S*nowhere/],
    ['an address of another host', { host: '192.0.2.1' }, 'The server cannot listen at 192.0.2.1'],
  ])('%s ends the start with a sentence', async (_, settings, sentence) => {
    write({ 'a.yaml': greeting('first') });
    await expect(serve(settings)).rejects.toThrow(sentence);
  });

  test.each([
    [['--port', '70000'], "argument '70000' is invalid. It must be a whole number"],
    [['--seed', 'x'], "argument 'x' is invalid. It must be a whole number"],
    [['--delay', '1s'], "argument '1s' is invalid. It must be a whole number from 0 to 60000."],
    [['--delay', '800-100'], 'The least comes first: 100-800.'],
    [['--delay', '1-2-3'], 'The least comes first: 100-800.'],
    [['--faults', '5'], 'It must be a percentage up to 100%, such as 5%.'],
    [['--faults', '101%'], 'It must be a percentage up to 100%, such as 5%.'],
    [['--state', 's.json'], 'Mocks remember until the process ends. Their first items are'],
    [['https://127.0.0.1:1/api.yaml'], 'it is on another server, which --allow-remote must allow'],
  ])('%j is refused by the command with a sentence', async (args, sentence) => {
    const { exitCode, out, err } = await runTool(['serve', ...args, folder('missing.yaml')]);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(sentence);
  });

  test('at a port in use end the start with a sentence', async () => {
    write({ 'a.yaml': greeting('first') });
    const { origin } = await serve({});
    const port = Number(new URL(origin).port);
    await expect(serve({ port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
  });
});

const secured = `
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: x-key }
    login: { type: http, scheme: basic }
    token: { type: oauth2, flows: { clientCredentials: { tokenUrl: /t, scopes: { all: All } } } }
security: [{ key: [] }, { login: [] }, { token: [all] }]`;

test('credentials of every declared kind are accepted, and each request gets a line without secrets', async () => {
  write({ 'a.yaml': greeting('first', secured) });
  const { ask, out } = await serve({});
  expect(out()).toContain('1 of them mocked, with any credential of its kinds)');
  const sent: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['none', {}, 401],
    ['a key', { 'x-key': 'K-SECRET' }, 200],
    ['a password', { authorization: `Basic ${btoa('a:b')}` }, 200],
    ['a token', { authorization: 'Bearer T-SECRET' }, 200],
  ];
  for (const [name, headers, status] of sent) {
    expect([name, (await ask('GET /first/x?key=Q-SECRET', { headers })).status]).toEqual([
      name,
      status,
    ]);
  }
  const lines = await until('four lines', () => {
    const found = out().match(/^\d\d:\d\d:\d\d GET .*$/gm);
    return found?.length === 4 ? found : undefined;
  });
  expect(lines[0]).toMatch(/ \/first\/x 401 \d+\.\d ms first \(mock\) Credentials are required/);
  expect(lines[1]).toMatch(/ \/first\/x 200 \d+\.\d ms first \(mock\)$/);
  expect(out()).not.toContain('SECRET');
});

test('mocks answer late and by failures where that is wanted', async () => {
  const failing = greeting('first').replace(
    'responses:',
    "responses:\n        '503': { description: Busy }",
  );
  write({ 'a.yaml': failing });
  const { ask, out } = await serve({ delay: [20, 30], faults: 1 });
  const { status, headers } = await ask('GET /first/x', {});
  expect([status, headers['x-mock']]).toEqual([503, 'fault']);
  const line = await until('a line', () => /GET .* 503 (\d+)\.\d ms first/.exec(out()));
  expect(Number(line?.[1])).toBeGreaterThan(15);
});

test('pages of other origins may call where that is wanted', async () => {
  write({ 'a.yaml': greeting('first', secured) });
  const headers = {
    origin: 'https://other.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  };
  const allowed = async (cors: boolean, target: string) => {
    const answer = await (await serve({ cors })).ask(target, { headers });
    const names = ['allow-origin', 'allow-methods', 'allow-headers'];
    return [answer.status, ...names.map((name) => answer.headers[`access-control-${name}`])];
  };
  expect(await allowed(true, 'OPTIONS /first/x')).toEqual([204, '*', 'GET', 'authorization']);
  expect(await allowed(true, 'GET /first/x')).toEqual([401, '*', undefined, undefined]);
  expect(await allowed(true, 'GET /openapi.json')).toEqual([200, '*', undefined, undefined]);
  expect(await allowed(false, 'OPTIONS /first/x')).toEqual([204, undefined, undefined, undefined]);
});

describe('handlers', () => {
  test('are what modules export by operationId; what cannot be used is said with its place', async () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    write({
      ...Object.fromEntries(
        names.map((name) => [`${name}.yaml`, greeting(name, `servers: [{ url: /${name} }]`)]),
      ),
      'a.yaml': greeting('six', secured),
      'handlers/store.cjs': 'exports.said = (text) => ({ status: 200, body: { text } });',
      'handlers/a.cjs': `const { said } = require('./store.cjs');
        exports.one = ({ path }) => said('one ' + path.name);
        exports.all = { two: () => said('two') };`,
      'handlers/b.mjs': `import store from './store.cjs';
        export const three = async () => store.said('three');
        export default { four() { return store.said('four'); }, nothing: 7 };
        export const securityHandlers = { apiKey: (key) => key === 'k'
          ? { username: undefined, subject: 'k', scopes: [], credentialId: 'k' } : undefined };`,
      'handlers/c.mjs': "\nthrow new Error('no database');\nexport const five = 1;",
      'handlers/d.cjs': 'exports.five = () => {\n  nonsense nonsense;\n};',
      'handlers/e.cjs': 'exports.one = () => 1; exports.stray = () => 1;',
      'handlers/f.test.cjs': 'throw new Error();',
    });
    // Reading one has no end.
    execFileSync('mkfifo', [folder('handlers/g.mjs')]);
    const { ask, err, out } = await serve({ handlers: folder('handlers') });
    for (const [path, text] of [
      ['/one/one/x', 'one x'],
      ['/two/two/x', 'two'],
      ['/three/three/x', 'three'],
      ['/four/four/x', 'four'],
    ]) {
      expect([path, (await ask(`GET ${path}`)).text]).toEqual([path, JSON.stringify({ text })]);
    }
    // What cannot be loaded is not replaced by mocks.
    expect((await ask('GET /five/five/x')).status).toBe(501);
    expect((await ask('GET /six/x', { headers: { 'x-key': 'other' } })).status).toBe(401);
    expect((await ask('GET /six/x', { headers: { 'x-key': 'k' } })).status).toBe(200);
    expect(out()).toMatch(/one\.yaml: \S+\/one \(1 operation\)/);
    const said = err().replaceAll(folder('handlers/'), '');
    expect(said).toContain('c.mjs:2:7 cannot be loaded: no database. 501 for five\n');
    expect(said).toMatch(/d\.cjs:2 cannot be loaded: Unexpected identifier/);
    expect(said).toContain('e.cjs: one is handled by a.cjs already. Remove one\n');
    expect(said).toMatch(/e\.cjs:1:\d+: stray: no operation of .*one\.yaml, .* has this id\n/);
    expect(said).not.toContain('f.test.cjs');
    expect(said).toContain('g.mjs cannot be loaded: it is no file\n');
  });

  test('that fail are shown where they fail, and leave the server running', async () => {
    write({
      'a.yaml': greeting('first'),
      'handlers/a.cjs': "exports.first = () => {\n  throw new Error('broken');\n};",
    });
    const { ask, err } = await serve({ handlers: folder('handlers'), validateResponses: true });
    expect((await ask('GET /first/x')).status).toBe(500);
    expect(err()).toMatch(/Error: broken\n +at .*a\.cjs:2/);
    expect((await ask('GET /first/x')).status).toBe(500);
  });
});

describe('the documentation page', () => {
  const hostile = readFileSync(join(__dirname, 'server.yaml'), 'utf8');

  test('shows each operation, runs no script but its own, and loads nothing', async () => {
    write({ 'a.yaml': hostile });
    const { ask, origin } = await serve({});
    const page = await ask('GET /docs/');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self'; img-src data:; /,
    );
    expect(page.text.match(/<script/g)).toHaveLength(1);
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.text).toContain('a &lt;b&gt;&#39;text&#39;');
    expect(page.text).toContain(
      `curl -X PUT &#39;${origin}/item/9007199254740993?q=it&#39;\\&#39;&#39;s&amp;key=KEY&#39; -H &#39;Content-Type: application/json&#39; -d &#39;{`,
    );
    expect(page.text).toContain(
      '--data-urlencode &#39;a=1&#39; --data-urlencode &#39;b=[&quot;x&quot;]&#39;',
    );
    expect(page.text).toContain('&quot;id&quot;: 9007199254740993');
    expect(page.text).toMatch(/Not served: .*#\/nothing/);
    const { status, headers } = await ask('GET /docs');
    expect([status, headers.location]).toEqual([308, 'docs/']);
    expect((await ask('GET /', { accept: 'text/html' })).text).toContain(`href="${origin}/docs/"`);
  });

  test('gives a shell no method to run', async () => {
    const operation = (id: string) =>
      `{ operationId: ${id}, responses: { '204': { description: Done } } }`;
    const methods = ['COPY', 'constructor'].map((id) => `${id}: ${operation(id)}`);
    write({
      'a.yaml': `
openapi: 3.2.0
info: { title: Methods, version: '1' }
paths:
  /a:
    query: { operationId: find, requestBody: { required: true, content: { application/json: { schema: { type: boolean } } } }, responses: { '204': { description: Done } } }
    additionalOperations: { ${methods.join(', ')}, "a'\`id\`&|": ${operation('run')} }
`,
    });
    const { ask, origin } = await serve({});
    const { text } = await ask('GET /docs/');
    expect(text).toMatch(
      `curl -X QUERY &#39;${origin}/a&#39; -H &#39;Content-Type: application/json&#39; -d &#39;true&#39;`,
    );
    expect(text).toContain(`curl -X COPY &#39;${origin}/a&#39;`);
    expect(text).toContain(`curl -X constructor &#39;${origin}/a&#39;`);
    expect(text).toContain(
      `curl -X &#39;a&#39;\\&#39;&#39;\`id\`&amp;|&#39; &#39;${origin}/a&#39;`,
    );
    expect((await ask('QUERY /a', { type: 'application/json', body: 'true' })).status).toBe(204);
  });

  test('is left out where that is wanted', async () => {
    write({ 'a.yaml': hostile });
    const { ask } = await serve({ docs: false });
    expect((await ask('GET /docs/')).status).toBe(404);
    expect((await ask('GET /', { accept: 'text/html' })).text).not.toContain('/docs/');
  });
});
