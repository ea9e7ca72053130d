/** Arguments of calls: the requests that they become, and what is said of those that do not fit. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { agentOf } from '../../support/agent';
import { tableOf, valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'arguments.cases.txt');

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
  type Row = [name: string, operation: object, given: object, seen: object, where?: object];
  test.each(valuesOf<Row>(cases, 'arguments that arrive'))(
    '%s',
    async (...[, operation, given, expected, where]: Row) => {
      const { call, seen } = await one(operation, where);
      const { text: told } = await call(given);
      expect({ told, seen }).toEqual({ told: 'done', seen: [expect.objectContaining(expected)] });
    },
  );

  test('bytes, and files with their names and media types', async () => {
    const file = { type: 'string', format: 'binary' };
    const upload = await one({
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: { type: 'object', properties: { file, note: string } },
          },
        },
      },
    });
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

  test.each(tableOf(cases, 'arguments that do not fit'))('%s', async (given = '', told = '') => {
    const { call, seen } = await one(
      { parameters, requestBody },
      { path: '/a/{id}', method: 'post' },
    );
    const {
      text: said,
      isError,
      told: reply,
    } = await call(given === 'undefined' ? undefined : JSON.parse(given));
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
