/** Calls of tools: the requests that they become, and the results that agents get of the answers. */

import { describe, expect, test } from '@jest/globals';
import { agentOf } from '../../support/agent';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { 200: { description: 'Fine', content: { 'text/plain': {} } } };
const anything = { 200: { description: 'Fine', ...json({}) } };
const string = { type: 'string' };
const long = { type: 'integer', format: 'int64' };

/** An agent of one operation, whose handler keeps what it gets. */
const one = async (
  operation: object,
  { path = '/a', method = 'post', ...more }: { path?: string; method?: string } & object = {},
) => {
  const seen: Record<string, unknown>[] = [];
  const handler = (request: Record<string, unknown>) => {
    const { path: inPath, query, querystring, header, body } = request;
    seen.push({ path: inPath, query, querystring, header, body });
    return { status: 200, body: 'done' };
  };
  const document = {
    openapi: '3.2.0',
    paths: { [path]: { [method]: { operationId: 'call', responses: text, ...operation } } },
    ...more,
  };
  const agent = await agentOf(document, { call: handler });
  return { ...agent, seen, call: (given?: object) => agent.call('call', given) };
};

describe('arguments arrive as they are declared', () => {
  const id = { name: 'id', in: 'path', required: true, schema: string };
  const bodyOf = (schema: object, mediaType = 'application/json', more: object = {}) => ({
    requestBody: { content: { [mediaType]: { schema, ...more } } },
  });

  type Row = [name: string, operation: object, given: object, seen: object, where?: object];
  test.each<Row>([
    [
      'a name in the path and in the body (neither overwrites the other)',
      { parameters: [id], ...bodyOf({ type: 'object', properties: { id: string } }) },
      { path: { id: 'of the path' }, body: { id: 'of the body' } },
      { path: { id: 'of the path' }, body: { id: 'of the body' } },
      { path: '/a/{id}', method: 'put' },
    ],
    [
      'a body that is no object',
      bodyOf({ type: 'array', items: string }),
      { body: ['a', 'b'] },
      { body: ['a', 'b'] },
    ],
    ['a body that is a text', bodyOf(string), { body: '[]' }, { body: '[]' }],
    [
      'lists by style',
      {
        parameters: [
          { name: 'a', in: 'query', schema: { type: 'array', items: string } },
          {
            name: 'b',
            in: 'query',
            style: 'pipeDelimited',
            explode: false,
            schema: { type: 'array', items: string },
          },
          { name: 'x-c', in: 'header', schema: { type: 'array', items: { type: 'integer' } } },
        ],
      },
      { query: { a: ['1', '2,3'], b: ['x', 'y'] }, header: { 'x-c': [1, 2] } },
      { query: { a: ['1', '2,3'], b: ['x', 'y'] }, header: { 'x-c': [1, 2] } },
    ],
    [
      'an object in deepObject',
      {
        parameters: [
          {
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { min: { type: 'integer' }, tag: string } },
          },
        ],
      },
      { query: { filter: { min: 5, tag: 'a&b=c' } } },
      { query: { filter: { min: 5, tag: 'a&b=c' } } },
    ],
    [
      'names that clients would refuse',
      { parameters: [{ name: 'filter[state]', in: 'query', schema: string }] },
      { query: { filter_state_: 'open' } },
      { query: { 'filter[state]': 'open' } },
    ],
    [
      'what is left out gets its default',
      {
        parameters: [
          { name: 'n', in: 'query', required: true, schema: { type: 'integer', default: 20 } },
        ],
      },
      {},
      { query: { n: 20 } },
    ],
    [
      'what is left out of a body gets its default',
      bodyOf({
        type: 'object',
        properties: { a: { type: 'string', default: 'x' } },
        required: ['a'],
      }),
      { body: {} },
      { body: { a: 'x' } },
    ],
    [
      'null in place of what is left out',
      { parameters: [{ name: 'n', in: 'query', schema: string }] },
      { query: { n: null } },
      { query: {} },
    ],
    [
      'a whole query string',
      {
        parameters: [
          {
            name: 'q',
            in: 'querystring',
            content: {
              'application/x-www-form-urlencoded': {
                schema: { type: 'object', properties: { a: { type: 'integer' } } },
              },
            },
          },
        ],
      },
      { query: { a: 5 } },
      { querystring: { a: 5 } },
    ],
    [
      'a form',
      bodyOf(
        {
          type: 'object',
          properties: { a: { type: 'integer' }, b: { type: 'array', items: string } },
        },
        'application/x-www-form-urlencoded',
      ),
      { body: { a: 5, b: ['x', 'y'] } },
      { body: { a: 5, b: ['x', 'y'] } },
    ],
    [
      'XML, where there is nothing else',
      bodyOf(
        { type: 'object', xml: { name: 'a' }, properties: { n: { type: 'integer' } } },
        'application/xml',
      ),
      { body: { n: 5 } },
      { body: { n: 5 } },
    ],
    [
      'groups that are the text of their JSON',
      {
        parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }],
        ...bodyOf({ type: 'object', properties: { a: string } }),
      },
      { query: '{"n":5}', body: '{"a":"x"}' },
      { query: { n: 5 }, body: { a: 'x' } },
    ],
    [
      'what may not leave its segment of the path',
      { parameters: [id] },
      { path: { id: '../../b?c=d#e' } },
      { path: { id: '../../b?c=d#e' } },
      { path: '/a/{id}', method: 'get' },
    ],
  ])('%s', async (...[, operation, given, expected, where]: Row) => {
    const { call, seen } = await one(operation, where);
    const { text: told } = await call(given);
    expect({ told, seen }).toEqual({ told: 'done', seen: [expect.objectContaining(expected)] });
  });

  test('bytes, and files with their names and media types', async () => {
    const file = { type: 'string', format: 'binary' };
    const upload = await one(
      bodyOf({ type: 'object', properties: { file, note: string } }, 'multipart/form-data'),
    );
    const data = Buffer.from([0, 255, 10]).toString('base64');
    await upload.call({
      body: { file: { data, mediaType: 'image/png', name: 'a "b".png' }, note: 'x' },
    });
    const [{ body }] = upload.seen as [{ body: { file: Uint8Array; note: string } }];
    expect([[...body.file], body.note]).toEqual([[0, 255, 10], 'x']);
    const raw = await one({ requestBody: { content: { 'application/octet-stream': {} } } });
    await raw.call({ body: { data } });
    expect([...((raw.seen[0]?.['body'] as Uint8Array) ?? [])]).toEqual([0, 255, 10]);
  });

  test('every digit of a long integer, there and back', async () => {
    const schema = {
      type: 'object',
      properties: { id: long, all: { type: 'array', items: long } },
    };
    const parameters = [{ name: 'id', in: 'path', required: true, schema: long }];
    const responses = { 200: { description: 'Fine', ...json(schema) } };
    const document = {
      paths: {
        '/a/{id}': {
          put: { operationId: 'call', parameters, responses, requestBody: json(schema) },
        },
      },
    };
    const { call } = await agentOf(document, {
      call: ({ path, body }: { path: { id: bigint }; body: { all: bigint[] } }) => ({
        status: 200,
        body: { id: path.id, all: body.all },
      }),
    });
    const { text: told, structured } = await call('call', {
      path: { id: '9223372036854775807' },
      body: { all: ['-9223372036854775808', 5] },
    });
    expect(told).toBe('{"id":9223372036854775807,"all":[-9223372036854775808,5]}');
    expect(structured).toEqual({ id: '9223372036854775807', all: ['-9223372036854775808', 5] });
  });
});

describe('arguments that do not fit are told by name and place, with what would', () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: long },
    { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
    { name: 'x-note', in: 'header', schema: string },
  ];
  const requestBody = {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { name: string, file: { type: 'string', format: 'byte' } },
          required: ['name'],
        },
      },
    },
  };

  test.each<[given: unknown, told: string]>([
    [{ path: {} }, '- path.id is required'],
    [undefined, '- path.id is required'],
    [{ id: '5' }, '- path.id belongs into the argument path'],
    [{ path: { id: '5' }, qery: {} }, '- body.qery is not known. Did you mean query?'],
    [{ path: { id: '5' }, query: { limt: 5 } }, '- query.limt is not known. Did you mean limit?'],
    [{ path: { id: '5' }, query: [5] }, '- query must be an object of parameters by name'],
    [
      { path: { id: '' } },
      '- path must not be empty or of dots alone, which would be another path',
    ],
    [
      { path: { id: '..' } },
      '- path must not be empty or of dots alone, which would be another path',
    ],
    [
      { path: { id: '5' }, header: { 'x-note': 'a\r\nHost: evil' } },
      '- header.x-note has characters that no header can hold',
    ],
    [{ path: { id: 'five' } }, 'must be an integer'],
    [{ path: { id: '5' }, query: { limit: 500 } }, 'must be at most 100'],
    [{ path: { id: '5' }, body: { name: 5 } }, 'must be a string'],
    [{ path: { id: '5' }, body: {} }, '/name'],
    ['nonsense', 'must be an object'],
  ])('%j', async (given, told) => {
    const { call, seen } = await one(
      { parameters, requestBody },
      { path: '/a/{id}', method: 'post' },
    );
    const { text: said, isError, told: reply } = await call(given as object);
    expect({ said, isError, seen, status: reply.status }).toEqual({
      said: expect.stringContaining(told),
      isError: true,
      seen: [],
      status: 200,
    });
  });

  test.each([['***'], [5]])('%j is no base64', async (data) => {
    const { call } = await one({ requestBody: { content: { 'application/octet-stream': {} } } });
    const { isError } = await call({ body: { data } });
    expect(isError).toBe(true);
  });
});

describe('results', () => {
  const resultOf = async (
    responses: object,
    answer: object,
    options: object = {},
    more: object = {},
  ) => {
    const agent = await agentOf(
      { paths: { '/a': { get: { operationId: 'call', responses, ...more } } } },
      { call: () => answer as never },
      options,
    );
    return agent.call('call', {});
  };

  test('an object is structured, and a text', async () => {
    const responses = {
      200: {
        description: 'Fine',
        ...json({ type: 'object', properties: { a: { type: 'integer', format: 'int32' } } }),
      },
    };
    const { text: told, structured } = await resultOf(responses, { status: 200, body: { a: 5 } });
    expect([told, structured]).toEqual(['{"a":5}', { a: 5 }]);
  });

  test('a list is an object of items', async () => {
    const responses = { 200: { description: 'Fine', ...json({ type: 'array', items: string }) } };
    const { text: told, structured } = await resultOf(responses, { status: 200, body: ['a'] });
    expect([told, structured]).toEqual(['["a"]', { items: ['a'] }]);
  });

  test('a failure is an error with status, sentence and body, and never structured', async () => {
    const problem = json({ type: 'object', properties: { message: string } });
    const responses = {
      200: { description: 'Fine', ...json({ type: 'object' }) },
      404: { description: 'No such thing', ...problem },
    };
    const {
      text: told,
      isError,
      structured,
    } = await resultOf(responses, { status: 404, body: { message: 'Gone' } });
    expect({ told, isError, structured }).toEqual({
      told: '404\n{"message":"Gone"}',
      isError: true,
      structured: undefined,
    });
  });

  test('no content is the status and its meaning', async () => {
    const { text: told } = await resultOf({ 204: { description: 'It is gone' } }, { status: 204 });
    expect(told).toBe('204 It is gone');
  });

  test('declared headers are told', async () => {
    const headers = { ETag: { schema: string } };
    const responses = { 200: { description: 'Fine', headers, ...json({}) } };
    const { text: told } = await resultOf(responses, {
      status: 200,
      body: 5,
      headers: { ETag: '"v1"', 'X-Other': 'a' },
    });
    expect(told).toBe('5\netag: "v1"');
  });

  test.each<[mediaType: string, content: object]>([
    ['image/png', { type: 'image', data: 'AQI=', mimeType: 'image/png' }],
    ['audio/wav', { type: 'audio', data: 'AQI=', mimeType: 'audio/wav' }],
    ['application/pdf', { type: 'text', text: '2 bytes of application/pdf' }],
  ])('%s', async (mediaType, content) => {
    const responses = {
      200: {
        description: 'Fine',
        content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } },
      },
    };
    const called = await resultOf(responses, { status: 200, body: Buffer.from([1, 2]) });
    expect(called.content).toEqual([content]);
  });

  test('XML is not asked for where there is anything else', async () => {
    const schema = { type: 'object', properties: { a: string } };
    const responses = {
      200: {
        description: 'Fine',
        content: { 'application/xml': { schema }, 'application/json': { schema } },
      },
    };
    expect((await resultOf(responses, { status: 200, body: { a: 'x' } })).text).toBe('{"a":"x"}');
  });
});

describe('a long result', () => {
  const items = Array.from({ length: 1000 }, (_, index) => ({
    id: index,
    name: `item ${index} "quoted" \\ [1,2],{`,
  }));
  const query = [
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
    { name: 'state', in: 'query', schema: string },
  ];
  const list = {
    type: 'array',
    items: { type: 'object', properties: { id: { type: 'integer' }, name: string } },
  };

  const longResult = async (schema: object, body: unknown, options: object = {}) => {
    const responses = { 200: { description: 'Fine', ...json(schema) } };
    const agent = await agentOf(
      { paths: { '/a': { get: { operationId: 'call', parameters: query, responses } } } },
      { call: () => ({ status: 200, body }) as never },
      options,
    );
    return agent.call('call', {});
  };

  test.each<[name: string, schema: object, body: unknown]>([
    ['a list', list, items],
    [
      'the longest list of an object',
      { type: 'object', properties: { total: { type: 'integer' }, few: list, items: list } },
      { total: 1000, few: items.slice(0, 2), items },
    ],
  ])('keeps whole items of %s, and says how many there are', async (_name, schema, body) => {
    const { told, text: said, structured, isError } = await longResult(schema, body);
    const [kept = '', note] = said.split('\n');
    const value = JSON.parse(kept) as { items?: unknown[] } | unknown[];
    const shown = Array.isArray(value) ? value : (value.items ?? []);
    expect({ shown, isError, note }).toEqual({
      shown: items.slice(0, shown.length),
      isError: false,
      note: `Items 1 to ${shown.length} of 1000; narrow with: query.limit, query.state`,
    });
    expect(shown.length).toBeGreaterThan(100);
    expect(structured).toEqual(Array.isArray(value) ? { items: value } : value);
    expect(told.text.length).toBeLessThan(33 * 1024);
  });

  test('as long as --max-result says', async () => {
    const { told } = await longResult({}, items, { maxResult: 2048 });
    expect(told.text.length).toBeLessThan(2048 + 300);
  });

  test('what is no list is cut as a text', async () => {
    const { text: said } = await longResult({}, 'é'.repeat(50_000), { outputs: false });
    expect(said).toMatch(
      /^"é+\nCharacters 1 to \d+ of 50002; narrow with: query\.limit, query\.state$/,
    );
  });

  test('an object that is cut keeps the promise of its schema', async () => {
    const { structured, isError } = await longResult(
      { type: 'object' },
      { text: 'x'.repeat(50_000) },
    );
    expect([structured, isError]).toEqual([{}, false]);
  });

  test('of 10 MB is read as far as there is room, and its source ends', async () => {
    let made = 0;
    let ended = false;
    const pages = async function* () {
      try {
        for (; made < 100_000; made += 100)
          yield Array.from({ length: 100 }, (_, at) => ({ id: made + at, name: 'x'.repeat(100) }));
      } finally {
        ended = true;
      }
    };
    const { text: said, told } = await longResult(list, pages());
    expect(said).toMatch(
      /\]\nItems 1 to \d+ of more than are read here; narrow with: query\.limit, query\.state$/,
    );
    expect({ ended, isShort: told.text.length < 33 * 1024, isLeft: made < 60_000 }).toEqual({
      ended: true,
      isShort: true,
      isLeft: true,
    });
  });
});

describe('credentials', () => {
  const document = {
    paths: {
      '/a': {
        get: {
          operationId: 'call',
          security: [{ key: [] }, { token: ['read'] }],
          responses: anything,
        },
      },
    },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        token: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: 'https://auth.example.com/token',
              scopes: { read: 'Read' },
            },
          },
        },
      },
    },
  };
  const principal = (scopes: string[]) => ({
    subject: 'test',
    username: undefined,
    scopes,
    kind: 'test',
    credentialId: '1',
  });
  const security = {
    apiKey: (key: string) => (key === 'good' ? principal(['read']) : undefined),
    bearer: (token: string) => (token === 'weak' ? principal([]) : undefined),
  };
  const agent = () => agentOf(document, { call: () => ({ status: 200, body: 5 }) }, { security });

  test('are those of the message', async () => {
    const { call } = await agent();
    expect((await call('call', {}, { 'x-key': 'good' })).text).toBe('5');
  });

  test('that lack make the answer of HTTP, with its status and challenge', async () => {
    const { call } = await agent();
    const { told, isError, text: said } = await call('call', {});
    expect({
      isError,
      said,
      status: told.status,
      challenge: told.headers.get('www-authenticate'),
    }).toEqual({
      isError: true,
      said: expect.stringContaining('Credentials are required'),
      status: 401,
      challenge: expect.stringContaining('scope="read"'),
    });
  });

  test('without the scope are told which it is', async () => {
    const { call } = await agent();
    const { told, text: said } = await call('call', {}, { authorization: 'Bearer weak' });
    expect({ said, status: told.status, challenge: told.headers.get('www-authenticate') }).toEqual({
      said: expect.stringContaining('scope read is required'),
      status: 403,
      challenge: expect.stringMatching(/error="insufficient_scope", scope="read"/),
    });
  });
});

describe('where there are many operations', () => {
  const operation = (name: string, method: string) => ({
    [method]: {
      operationId: name,
      summary: `${name} of a thing`,
      tags: [name.startsWith('get') ? 'reading' : 'writing'],
      responses: text,
    },
  });
  const paths = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [
      `/things${index}`,
      { ...operation(`getThing${index}`, 'get'), ...operation(`makeThing${index}`, 'post') },
    ]),
  );
  const agent = () =>
    agentOf(
      { paths: { ...paths, '/orders': operation('getOrders', 'get') } },
      {
        getOrders: () => ({ status: 200, body: 'orders' }),
        makeThing3: () => ({ status: 200, body: 'made' }),
      },
    );

  test.each<[tool: string, given: object, told: RegExp, isError: boolean]>([
    [
      'search_operations',
      { words: 'order' },
      /^getOrders \(reads\): GET \/orders getOrders of a thing$/,
      false,
    ],
    [
      'search_operations',
      { words: 'make thing3' },
      /^makeThing3 \(changes\): POST \/things3 /,
      false,
    ],
    [
      'search_operations',
      {},
      /^31 operations\. Tags:\nreading: 16 operations\nwriting: 15 operations$/,
      false,
    ],
    ['search_operations', { words: 'zebra' }, /^No operation has these words/, false],
    ['search_operations', { tag: 'writing' }, /^makeThing0 \(changes\)/, false],
    [
      'describe_operation',
      { name: 'getOrders' },
      /^getOrders of a thing\n(?:.*\n)*GET \/orders\nArguments:\n\{"type":"object"/,
      false,
    ],
    [
      'describe_operation',
      { name: 'getOrder' },
      /^There is no operation getOrder\. Did you mean getOrders\?$/,
      true,
    ],
    ['call_reading_operation', { name: 'getOrders' }, /^orders$/, false],
    [
      'call_reading_operation',
      { name: 'makeThing3' },
      /^makeThing3 changes: call it with call_changing_operation$/,
      true,
    ],
    ['call_changing_operation', { name: 'makeThing3', arguments: {} }, /^made$/, false],
    ['call_changing_operation', { name: 'makeThing4' }, /^501/, true],
  ])('%s %j', async (tool, given, told, isError) => {
    const { call } = await agent();
    expect(await call(tool, given)).toMatchObject({ text: expect.stringMatching(told), isError });
  });

  test('an operation is no tool of its own', async () => {
    const { ask } = await agent();
    const { body } = await ask('tools/call', { name: 'getOrders' });
    expect(body.error).toEqual({ code: -32602, message: 'Unknown tool: getOrders' });
  });

  test('without changes there is no tool for them', async () => {
    const { tools } = await agentOf({ paths }, {}, { readOnly: true });
    expect((await tools()).length).toBe(15);
  });
});
