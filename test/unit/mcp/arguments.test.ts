/** Arguments of calls: the requests that they become, and what is said of those that do not fit. */

import { describe, expect, test } from '@jest/globals';
import { agentOf } from '../../support/agent';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { 200: { description: 'Fine', content: { 'text/plain': {} } } };
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
      'null of a long integer that may be null',
      {
        parameters: [{ name: 'n', in: 'query', schema: { ...long, type: ['integer', 'null'] } }],
        ...bodyOf({ type: 'array', items: { ...long, type: ['integer', 'null'] } }),
      },
      { query: { n: null }, body: ['5', null] },
      { query: { n: null }, body: [5n, null] },
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
    { name: 'x-list', in: 'header', schema: { type: 'array', items: string } },
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
    [{ path: { id: '5' }, qery: {} }, 'The argument qery is not known. Did you mean query?'],
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
    [
      { path: { id: '5' }, header: { 'x-list': ['a,b', 'c'] } },
      '- header.x-list must not hold "a,b": "," separates values in this style',
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
