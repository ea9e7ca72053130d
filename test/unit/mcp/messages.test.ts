/** Messages of the Model Context Protocol: what each revision gets, by HTTP and on stdio. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { schemaContext } from '../../../src/engine';
import { CallFailure, McpServer, mcpFetch, type SendCall, serveLines } from '../../../src/mcp';
import { agentOf, headersOf, meta } from '../../support/agent';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'messages.cases.txt');

const document = {
  paths: {
    '/a': {
      get: {
        operationId: 'getA',
        responses: { 200: { description: 'Fine', content: { 'text/plain': {} } } },
      },
    },
  },
};
const agent = () => agentOf(document, { getA: () => ({ status: 200, body: 'a' }) });

const message = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const modern = (method: string, params: object = {}) => message(method, { _meta: meta, ...params });
const json = { 'content-type': 'application/json' };
const call = modern('tools/call', { name: 'getA' });
const withMeta = (changes: object) => ({
  ...call,
  params: { name: 'getA', _meta: { ...meta, ...changes } },
});
const prefix = 'io.modelcontextprotocol/';
const version = `${prefix}protocolVersion`;

describe('by HTTP', () => {
  /** A message of today is its method, its parameters and what its metadata says otherwise; a text is sent as it is. */
  type Row = [
    name: string,
    body: string | object | [method: string, params?: object, metadata?: object],
    headers: Readonly<Record<string, string | null>>,
    status: number,
    code?: number,
  ];
  const heads = headersOf(call);
  /** What is null is left out. */
  const changed = <Value>(
    usual: Readonly<Record<string, Value>>,
    changes: Readonly<Record<string, Value | null>>,
  ): Record<string, Value> =>
    Object.fromEntries(
      Object.entries({ ...usual, ...changes }).flatMap(([name, value]): [string, Value][] =>
        value === null ? [] : [[name, value]],
      ),
    );
  const written = (body: Row[1]): string => {
    if (typeof body === 'string') return body;
    if (!Array.isArray(body)) return JSON.stringify(body);
    const [method, params, metadata = {}] = body;
    const named = Object.entries(metadata).map(([name, value]) => [prefix + name, value]);
    const _meta = changed<unknown>(meta, Object.fromEntries(named));
    return JSON.stringify(modern(method, { ...params, _meta }));
  };

  test.each([
    ...valuesOf<Row>(cases, 'messages of today').map(
      ([name, ...row]) => [name, heads, ...row] as const,
    ),
    ...valuesOf<Row>(cases, 'older messages').map(
      ([name, ...row]) => [name, json, ...row] as const,
    ),
  ])('%s', async (...[, usual, body, changes, status, code]) => {
    const { send } = await agent();
    const told = await send(written(body), changed(usual, changes));
    expect({ status: told.status, code: told.body.error?.code }).toEqual({ status, code });
    expect(told.headers.get('content-type')).toBe('application/json');
  });

  test('a notification is taken, without content', async () => {
    const { send } = await agent();
    const told = await send(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      json,
    );
    expect([told.status, told.text]).toEqual([202, '']);
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s is not allowed', async (method) => {
    const { send } = await agent();
    const told = await send('', json, method);
    expect([told.status, told.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('a message that is too large is refused before it is read', async () => {
    const { send } = await agent();
    const told = await send(`"${'x'.repeat(17 * 1024 * 1024)}"`, json);
    expect(told.status).toBe(413);
  });

  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
    'initialize of %s makes no session',
    async (protocolVersion) => {
      const { send } = await agent();
      const told = await send(JSON.stringify(message('initialize', { protocolVersion })), json);
      expect({ id: told.headers.get('mcp-session-id'), result: told.body.result }).toEqual({
        id: null,
        result: {
          protocolVersion,
          capabilities: { tools: {}, resources: {} },
          serverInfo: { name: 'test', title: 'Test', version: '1' },
          instructions: 'Test',
        },
      });
    },
  );

  test('initialize of another revision gets the newest that has sessions', async () => {
    const { send } = await agent();
    const told = await send(
      JSON.stringify(message('initialize', { protocolVersion: '2030-01-01' })),
      json,
    );
    expect(told.body.result.protocolVersion).toBe('2025-11-25');
  });

  test('server/discover tells what there is', async () => {
    const { ask } = await agent();
    const { body } = await ask('server/discover');
    expect(body.result).toEqual({
      resultType: 'complete',
      _meta: {
        'io.modelcontextprotocol/serverInfo': { name: 'test', title: 'Test', version: '1' },
      },
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'test', title: 'Test', version: '1' },
      instructions: 'Test',
      ttlMs: 60_000,
      cacheScope: 'public',
    });
  });

  test('the document is a resource', async () => {
    const { ask } = await agent();
    const list = await ask('resources/list');
    const [{ uri, mimeType }] = list.body.result.resources;
    const { body } = await ask('resources/read', { uri });
    expect([uri, mimeType, JSON.parse(body.result.contents[0].text).paths]).toEqual([
      'openapi://test',
      'application/json',
      document.paths,
    ]);
  });

  test('a failure of the program that answers is its own', async () => {
    const { loaded } = await agent();
    const mcp = mcpFetch(loaded, () => Promise.reject(new Error('secret')));
    const init = { method: 'POST', headers: heads, body: JSON.stringify(call) };
    await expect(mcp(new Request('http://localhost/mcp', init))).rejects.toThrow('secret');
  });

  test('a call belongs to the trace that its message names', async () => {
    const seen: (string | null)[] = [];
    const { loaded } = await agent();
    const mcp = mcpFetch(loaded, async ({ headers }) => {
      seen.push(headers.get('traceparent'));
      return new Response('a');
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
    const body = JSON.stringify(withMeta({ traceparent }));
    const other = {
      ...heads,
      traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
    };
    await mcp(new Request('http://localhost/mcp', { method: 'POST', headers: other, body }));
    await mcp(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: other,
        body: JSON.stringify(call),
      }),
    );
    expect(seen).toEqual([traceparent, other.traceparent]);
  });
});

describe('on stdio', () => {
  const fine: SendCall = async () => ({
    status: 200,
    headers: [['Content-Type', 'text/plain']],
    body: 'a',
  });

  const failures: unknown[] = [];
  const serve = async (lines: readonly string[], send: SendCall = fine) => {
    const { loaded } = await agent();
    const written: string[] = [];
    failures.length = 0;
    const input = async function* () {
      yield* lines;
    };
    await serveLines(
      new McpServer(loaded, schemaContext(loaded)),
      input(),
      (line) => written.push(line),
      send,
      (error) => failures.push(error),
    );
    return written.map((line) => JSON.parse(line));
  };
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;

  test('messages come in lines, in whatever chunks', async () => {
    const text =
      line(message('initialize', { protocolVersion: '2025-06-18' })) +
      line(modern('tools/call', { name: 'getA' }));
    const replies = await serve([text.slice(0, 20), text.slice(20, 150), text.slice(150), '\n']);
    expect(replies).toEqual([
      expect.objectContaining({
        id: 1,
        result: expect.objectContaining({ protocolVersion: '2025-06-18' }),
      }),
      expect.objectContaining({
        id: 1,
        result: expect.objectContaining({ content: [{ type: 'text', text: 'a' }] }),
      }),
    ]);
  });

  test('the last line needs no end', async () => {
    expect(await serve([JSON.stringify(message('ping'))])).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });

  test('what is no message is told, and the next is answered', async () => {
    const replies = await serve(['nonsense\n', line([1]), line(message('ping', {}, 'x'))]);
    expect(replies.map(({ id, error }) => [id, error?.code])).toEqual([
      [undefined, -32700],
      [undefined, -32600],
      ['x', undefined],
    ]);
  });

  test.each<[method: string, named: object, code: number | undefined]>([
    ['tools/list', meta, undefined],
    ['tools/list', { ...meta, [version]: '2099-01-01' }, -32022],
    ['tools/call', { ...meta, [version]: '2025-11-25' }, -32022],
    ['resources/read', { ...meta, [version]: 5 }, -32022],
    ['server/discover', { [version]: '2026-07-28' }, -32602],
  ])('%s holds its metadata to the revision, as by HTTP: %j', async (method, _meta, code) => {
    const [reply] = await serve([line(message(method, { _meta }))]);
    expect(reply.error?.code).toBe(code);
  });

  test('a line that is too long is told, and the next is answered', async () => {
    const chunk = 'x'.repeat(1024 * 1024);
    const replies = await serve([
      ...Array.from({ length: 20 }, () => chunk),
      '\n',
      line(message('ping')),
    ]);
    expect(replies.map(({ id, error }) => [id, error?.message])).toEqual([
      [undefined, 'The message is too long'],
      [1, undefined],
    ]);
  });

  test('a call that is cancelled ends, and is not answered', async () => {
    let ended = false;
    const waits: SendCall = (_request, _operation, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          ended = true;
          reject(signal.reason);
        });
      });
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    };
    const replies = await serve([line(call), line(cancelled), line(message('ping', {}, 2))], waits);
    expect([ended, replies.map(({ id }) => id), failures]).toEqual([true, [2], []]);
  });

  test('what fails in the program is reported, and told without the reason', async () => {
    const secret = new Error('secret');
    const replies = await serve([line(call)], () => Promise.reject(secret));
    const error = { code: -32603, message: 'The server failed to answer' };
    expect([replies, failures]).toEqual([[{ jsonrpc: '2.0', id: 1, error }], [secret]]);
  });

  test('what does not answer is told', async () => {
    const [reply] = await serve([line(call)], () => Promise.reject(new CallFailure('It is gone')));
    expect(reply.result).toMatchObject({
      isError: true,
      content: [{ text: 'The call failed: It is gone' }],
    });
  });
});
