/** Messages of the Model Context Protocol: what each revision gets, by HTTP and on stdio. */

import { describe, expect, test } from '@jest/globals';
import { schemaContext } from '../../../src/engine';
import { CallFailure, McpServer, mcpFetch, type SendCall, serveLines } from '../../../src/mcp';
import { agentOf, headersOf, meta } from '../../support/agent';

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
const version = 'io.modelcontextprotocol/protocolVersion';

describe('by HTTP', () => {
  type Row = [
    name: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
    status: number,
    code: number | undefined,
  ];
  const heads = headersOf(call);
  const without = (name: string) =>
    Object.fromEntries(Object.entries(heads).filter(([other]) => other !== name));

  test.each<Row>([
    ['a call', call, heads, 200, undefined],
    ['a name in Base64', call, { ...heads, 'mcp-name': '=?base64?Z2V0QQ==?=' }, 200, undefined],
    ['another method in the header', call, { ...heads, 'mcp-method': 'tools/list' }, 400, -32020],
    ['another name in the header', call, { ...heads, 'mcp-name': 'getB' }, 400, -32020],
    [
      'another version in the header',
      call,
      { ...heads, 'mcp-protocol-version': '2025-11-25' },
      400,
      -32020,
    ],
    ['no Mcp-Method', call, without('mcp-method'), 400, -32020],
    ['no Mcp-Name', call, without('mcp-name'), 400, -32020],
    ['no MCP-Protocol-Version', call, without('mcp-protocol-version'), 400, -32020],
    [
      'an unknown version',
      withMeta({ [version]: '1900-01-01' }),
      { ...heads, 'mcp-protocol-version': '1900-01-01' },
      400,
      -32022,
    ],
    [
      'an older version that says so in the body',
      withMeta({ [version]: '2025-11-25' }),
      { ...heads, 'mcp-protocol-version': '2025-11-25' },
      400,
      -32022,
    ],
    ['no version in the body', message('tools/list'), heads, 400, -32602],
    [
      'no capabilities',
      withMeta({ 'io.modelcontextprotocol/clientCapabilities': undefined }),
      heads,
      400,
      -32602,
    ],
    [
      'an unknown method',
      modern('prompts/list'),
      headersOf({ method: 'prompts/list' }),
      404,
      -32601,
    ],
    [
      'ping, which this revision does not have',
      modern('ping'),
      headersOf({ method: 'ping' }),
      404,
      -32601,
    ],
    [
      'an unknown tool',
      modern('tools/call', { name: 'getB' }),
      { ...heads, 'mcp-name': 'getB' },
      200,
      -32602,
    ],
    [
      'an unknown resource',
      modern('resources/read', { uri: 'openapi://b' }),
      headersOf({ method: 'resources/read', params: { uri: 'openapi://b' } }),
      200,
      -32602,
    ],
    [
      'a cursor that was not given',
      modern('tools/list', { cursor: 'x' }),
      headersOf({ method: 'tools/list' }),
      200,
      -32602,
    ],
    [
      'numbers without bounds in place of texts',
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":${'9'.repeat(40)}}}`,
      json,
      200,
      -32602,
    ],
    [
      'a number without bounds in place of a URI',
      `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":${'9'.repeat(40)}}}`,
      json,
      200,
      -32002,
    ],
    [
      'a number without bounds in place of an id',
      `{"jsonrpc":"2.0","id":${'9'.repeat(40)},"method":"ping"}`,
      json,
      400,
      -32600,
    ],
    ['a foreign page', call, { ...heads, origin: 'https://evil.example.com' }, 403, -32600],
    [
      'the page of the name that it was asked by',
      call,
      { ...heads, origin: 'http://api.test' },
      403,
      -32600,
    ],
    ['a page of this machine', call, { ...heads, origin: 'http://localhost:6274' }, 200, undefined],
    ['another format', call, { ...heads, 'content-type': 'text/plain' }, 415, -32600],
    ['no JSON', '{"jsonrpc":', heads, 400, -32700],
    ['a key twice', '{"jsonrpc":"2.0","jsonrpc":"2.0"}', heads, 400, -32700],
    ['a batch', [call], heads, 400, -32600],
    ['no message', { jsonrpc: '2.0', id: 1, result: {} }, heads, 400, -32600],
    ['an id that is none', { ...call, id: null }, heads, 400, -32600],
    ['params that are a list', { ...call, params: [] }, heads, 400, -32600],
    [
      'older: initialize',
      message('initialize', { protocolVersion: '2025-06-18' }),
      json,
      200,
      undefined,
    ],
    [
      'older: a list',
      message('tools/list'),
      { ...json, 'mcp-protocol-version': '2025-06-18' },
      200,
      undefined,
    ],
    ['older: a list without a version (2025-03-26)', message('tools/list'), json, 200, undefined],
    ['older: ping', message('ping'), json, 200, undefined],
    ['older: an unknown method', message('prompts/list'), json, 200, -32601],
    ['older: an unknown resource', message('resources/read', { uri: 'a:b' }), json, 200, -32002],
    [
      'older: a version that is none',
      message('tools/list'),
      { ...json, 'mcp-protocol-version': '2024-01-01' },
      400,
      -32022,
    ],
  ])('%s', async (_name, body, headers, status, code) => {
    const { send } = await agent();
    const told = await send(typeof body === 'string' ? body : JSON.stringify(body), headers);
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
