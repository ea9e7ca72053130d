/** Another program serves a document by the engine, in Express or with node:http alone. */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { HttpError, openApiRouter, parseApiDocument } from '../../src/package';

const document = readFileSync(join(__dirname, 'mount-engine.yaml'), 'utf8');

const principal = { username: undefined, subject: 'someone', scopes: [], credentialId: 'key' };
const securityHandlers = { apiKey: async (key: string) => (key === 'k' ? principal : undefined) };

let folder = '';
let file = '';
let app = express();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mount-'));
  file = join(folder, 'greetings.yaml');
  await writeFile(file, document);
  const greet = ({ path, query }: { path: { name: string }; query: { times: bigint } }) => ({
    status: 200,
    body: { text: `Hello ${path.name}`, times: query.times },
  });
  app = express()
    .get('/own', (_request, response) => void response.send('own'))
    .use('/greetings', await openApiRouter(file, { greet }, securityHandlers));
});

afterAll(() => rm(folder, { recursive: true }));

/** A log that keeps what it is told. */
const newLog = () => {
  const told: string[] = [];
  return { told, log: { error: (_: object, message: string) => told.push(message) } };
};

const getAnn = (program: Parameters<typeof request>[0]) =>
  request(program).get('/greetings/Ann').set('x-key', 'k');

test.each([
  ['/greetings/Ann', 'application/json', 200, '{"text":"Hello Ann","times":1}'],
  [
    '/greetings/Ann?times=9223372036854775807',
    'application/xml',
    200,
    '<?xml version="1.0" encoding="UTF-8"?>\n<Greeting text="Hello Ann"><times>9223372036854775807</times></Greeting>',
  ],
  [
    '/greetings/Ann?times=9223372036854775808',
    'application/json',
    400,
    '{"code":400,"type":"invalid-parameter","message":"A parameter does not fit its schema","errors":[{"in":"query","path":"times","message":"must be an integer between -9223372036854775808 and 9223372036854775807, not the number 9223372036854775808","rule":"format","allowed":"int64","got":"the number 9223372036854775808"}]}',
  ],
  ['/own', 'text/html', 200, 'own'],
])('%s as %s', async (path, accept, status, body) => {
  const answer = await request(app).get(path).set('x-key', 'k').set('accept', accept).buffer(true);
  expect([answer.status, answer.text]).toEqual([status, body]);
});

test('an operation without a handler is mocked where that is asked for', async () => {
  const mocked = express().use(await openApiRouter(file, {}, securityHandlers, { mocks: true }));
  const answer = await getAnn(mocked);
  expect([answer.status, answer.headers['x-mock']]).toEqual([200, 'true']);
  const { told, log } = newLog();
  const plain = express().use(await openApiRouter(file, {}, securityHandlers, { log }));
  expect((await getAnn(plain)).status).toBe(501);
  expect(told).toEqual(['greet is not implemented']);
});

test('a security scheme without its security handler is told of', async () => {
  const { told, log } = newLog();
  const router = await openApiRouter(file, {}, {}, { log });
  expect(told).toEqual([
    expect.stringMatching(
      /warning: The scheme key \(apiKey\) is not verified: operations that require it always answer 401\. Give the service a security handler for it\. /,
    ),
  ]);
  await router.precompile();
  expect((await getAnn(createServer(router))).status).toBe(401);
});

test('without a credential nobody is let in, and the document is served', async () => {
  expect((await request(app).get('/greetings/Ann')).status).toBe(401);
  const served = await request(app).get('/greetings/openapi.json');
  expect(served.body).toMatchObject({ openapi: '3.0.3', info: { title: 'Greetings' } });
});

test('node:http alone serves the document, too, and a handler is told who calls', async () => {
  const greet = ({ client }: { client: { address: string; secure: boolean } }) => ({
    status: 200,
    body: { text: `${client.address} ${client.secure}` },
  });
  const { told, log } = newLog();
  const clientOf = () => ({ address: '192.0.2.1', secure: true });
  const handlers = { greet, wave: greet };
  const router = await openApiRouter(
    file,
    handlers,
    { apiKey: () => principal },
    { log, clientOf },
  );
  const server = createServer(router);
  expect((await getAnn(server)).body).toEqual({ text: '192.0.2.1 true' });
  expect((await request(server).get('/greetings/Ann')).status).toBe(401);
  expect((await request(server).get('/no/path')).body).toMatchObject({ type: 'route-not-found' });
  expect((await request(server).get('/greetings/openapi.json')).status).toBe(200);
  expect(told).toEqual(['The document has no operation for the handler wave']);
  expect(router.handlersWithoutOperation).toEqual(['wave']);
  expect(router.operationsWithoutHandler).toEqual([]);
});

test('hooks run around handlers, formats are tested, errors and responses are replaced', async () => {
  const calls: string[] = [];
  const text = document
    .replace('type: string, maxLength: 5', 'type: string, format: first-name')
    .replace('security: [{ key: [] }]', 'security: []');
  const { told, log } = newLog();
  const greet = ({ path }: { path: { name: string } }) => ({
    status: 200,
    body: { text: `Hello ${path.name}` },
  });
  const router = await openApiRouter(
    parseApiDocument('names.yaml', text),
    { greet },
    {},
    {
      log,
      formats: { 'first-name': (name) => /^[A-Z]/.test(name) },
      before: ({ operation, request: { path } }) => {
        calls.push(`before ${operation.operationId}`);
        if (path['name'] === 'Eve') throw new HttpError(403, 'forbidden', 'Not Eve');
        if (path['name'] === 'Bug') throw new Error('a bug');
      },
      after: async ({ response: { status, body }, request: { path } }) => {
        calls.push(`after ${status}`);
        if (path['name'] === 'Bob') return { status, body: { text: 'Bob again' } };
        return body === undefined ? { status: 200, body: {} } : undefined;
      },
      replaceError: ({ status, code, message, errors }, { headers }, operation) => {
        if (headers['x-fail'] !== undefined) throw new Error('the hook');
        if (operation === undefined) return undefined;
        if (code === 'forbidden') return new HttpError(403, code, `${message}, sorry`);
        const body = JSON.stringify({ title: code, where: errors.map(({ path }) => path) });
        return { status, headers: { 'Content-Type': 'application/problem+json' }, body };
      },
    },
  );
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const {
      status,
      type,
      text: answer,
    } = await request(createServer(router)).get(`/greetings/${path}`).set(headers).buffer(true);
    return `${status} ${type} ${answer}`;
  };
  expect(await get('Ann')).toBe('200 application/json {"text":"Hello Ann"}');
  expect(await get('Bob')).toBe('200 application/json {"text":"Bob again"}');
  expect(await get('ann')).toBe(
    '400 application/problem+json {"title":"invalid-parameter","where":["name"]}',
  );
  expect(await get('Eve')).toBe(
    '403 application/json {"code":403,"type":"forbidden","message":"Not Eve, sorry"}',
  );
  expect(await get('Bug')).toBe('500 application/problem+json {"title":"internal","where":[]}');
  expect(await get('no/path')).toMatch(/^404 application\/json .*route-not-found/);
  expect(await get('ann', { 'x-fail': '1' })).toMatch(
    /^400 application\/json .*must be of the format first-name/,
  );
  expect(calls).toEqual([
    'before greet',
    'after 200',
    'before greet',
    'after 200',
    'before greet',
    'before greet',
  ]);
  expect(told).toEqual(['The server failed to answer this request', 'replaceError failed']);
});

test('a security handler is told the name of the scheme, so that two of a kind are told apart', async () => {
  const text = document
    .replace('security: [{ key: [] }]', 'security: [{ key: [] }, { master: [] }]')
    .replace(
      'securitySchemes: {',
      'securitySchemes: { master: { type: apiKey, in: header, name: x-master },',
    );
  const apiKey = (key: string, _request: object, scheme: string) =>
    key === `${scheme}-1` ? { ...principal, subject: scheme } : undefined;
  const greet = ({ principal: caller }: { principal: { subject: string } }) => ({
    status: 200,
    body: { text: caller.subject },
  });
  const router = await openApiRouter(parseApiDocument('keys.yaml', text), { greet }, { apiKey });
  const ask = (name: string, key: string) =>
    request(createServer(router)).get('/greetings/Ann').set(name, key);
  expect((await ask('x-master', 'master-1')).body).toEqual({ text: 'master' });
  expect((await ask('x-key', 'key-1')).body).toEqual({ text: 'key' });
  expect((await ask('x-key', 'master-1')).status).toBe(401);
});
