/** Schemas of tools: what is said of arguments and results, in words that the clients in use accept. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { agentOf } from '../../support/agent';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'tool-schema.cases.txt');

const responses = { 200: { description: 'Fine' } };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** The input schema of a body. */
const bodyOf = async (schema: object, components: object = {}) => {
  const post = { operationId: 'a', requestBody: json(schema), responses };
  const { tools } = await agentOf({
    paths: { '/a': { post } },
    components: { schemas: components },
  });
  return (await tools())[0]?.inputSchema.properties.body;
};

describe('a body as the schema of an argument', () => {
  test.each(valuesOf<[name: string, schema: object, written: object]>(cases, 'bodies'))(
    '%s',
    async (_name, schema, written) => {
      expect(await bodyOf(schema)).toEqual(JSON.parse(JSON.stringify(written)));
    },
  );

  test.each(
    valuesOf<[name: string, schema: object, components: object, written: object]>(
      cases,
      'discriminators',
    ),
  )('the values of a discriminator are told: %s', async (_name, schema, components, written) => {
    expect(await bodyOf(schema, components)).toEqual(written);
  });

  test('a schema that holds itself ends', async () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Node' }, name: { type: 'string' } },
    };
    const written = JSON.stringify(
      await bodyOf({ $ref: '#/components/schemas/Node' }, { Node: node }),
    );
    expect(written.match(/"next"/g)).toHaveLength(7);
  });

  test('a large one is cut at the depth for which there is room', async () => {
    const deep = (levels: number): object => ({
      type: 'object',
      properties: Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e'].map((name) => [
          name,
          levels === 0 ? { type: 'string', description: 'x'.repeat(200) } : deep(levels - 1),
        ]),
      ),
    });
    const written = JSON.stringify(await bodyOf(deep(5)));
    expect(written.length).toBeLessThanOrEqual(12 * 1024);
    expect(written).toContain('"a":{"type":"object","properties":{"a":{');
  });
});

test.each(valuesOf<[name: string, content: object, written: object]>(cases, 'arguments'))(
  'the argument of %s',
  async (_name, content, written) => {
    const { tools } = await agentOf({
      openapi: '3.2.0',
      paths: {
        '/a': { post: { operationId: 'a', requestBody: { required: true, content }, responses } },
      },
    });
    const [tool] = await tools();
    expect(tool?.inputSchema.properties.body).toEqual(written);
    expect(tool?.inputSchema.required).toEqual(['body']);
  },
);

describe('parameters', () => {
  const parametersOf = async (parameters: readonly object[], more: object = {}) => {
    const { tools } = await agentOf({
      paths: {
        '/a': { get: { operationId: 'a', parameters, responses, security: [{ key: [] }] } },
      },
      ...more,
    });
    return (await tools())[0]?.inputSchema;
  };

  test('are grouped, so that names of different places do not meet', async () => {
    const schema = { type: 'string' };
    const { properties, required } = await parametersOf([
      { name: 'id', in: 'query', required: true, schema },
      {
        name: 'limit',
        in: 'query',
        required: true,
        schema: { type: 'integer', format: 'int32', default: 20 },
        description: 'How many',
      },
      { name: 'id', in: 'header', schema },
    ]);
    expect(properties.query.properties).toEqual({
      id: schema,
      limit: { type: 'integer', default: 20, description: 'How many' },
    });
    expect({
      query: properties.query.required,
      header: properties.header.properties,
      required,
    }).toEqual({ query: ['id'], header: { id: schema }, required: ['query'] });
  });

  test('have names that clients accept', async () => {
    const { properties } = await parametersOf([
      { name: 'filter[state]', in: 'query', schema: { type: 'string' } },
      { name: 'filter(state)', in: 'query', schema: { type: 'string' } },
    ]);
    expect(Object.entries(properties.query.properties)).toEqual([
      ['filter_state_', { type: 'string', description: 'filter[state].' }],
      [
        expect.stringMatching(/^filter_state__[0-9a-f]{6}$/),
        { type: 'string', description: 'filter(state).' },
      ],
    ]);
  });

  test.each([
    'Authorization',
    'Cookie',
    'Host',
    'X-Key',
    'Content-Type',
    'Transfer-Encoding',
    'Connection',
    'Forwarded',
    'X-Forwarded-For',
    'Mcp-Name',
  ])('the header %s is no argument', async (name) => {
    const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'x-key' } };
    const { properties } = await parametersOf(
      [{ name, in: 'header', schema: { type: 'string' } }],
      { components: { securitySchemes } },
    );
    expect(properties).toEqual({});
  });

  test.each([
    'Content-Disposition',
    'Content-Language',
    'Content-MD5',
    'Content-Range',
    'Content-Location',
    'Content-Encoding',
    'Sec-Fetch-Site',
    'Sec-GPC',
  ])('the header %s is an argument, and can be required', async (name) => {
    const schema = { type: 'string' };
    const { properties } = await parametersOf([{ name, in: 'header', required: true, schema }]);
    expect(properties.header.required).toEqual([name]);
  });

  test.each([
    ['cookie', 'theme'],
    ['header', 'X-Forwarded-For'],
    ['header', 'Sec-WebSocket-Key'],
  ])('an operation that requires the %s %s is no tool', async (location, name) => {
    const parameter = { name, in: location, required: true, schema: { type: 'string' } };
    expect(await parametersOf([parameter])).toBeUndefined();
  });

  test('cookies and keys of the query are no arguments', async () => {
    const securitySchemes = { key: { type: 'apiKey', in: 'query', name: 'key' } };
    const { properties } = await parametersOf(
      [
        { name: 'key', in: 'query', schema: {} },
        { name: 'c', in: 'cookie', schema: {} },
      ],
      { components: { securitySchemes } },
    );
    expect(properties).toEqual({});
  });
});

test.each(valuesOf<[name: string, success: object, output: object | null]>(cases, 'outputs'))(
  'the output of %s',
  async (_name, success, output) => {
    const { tools } = await agentOf({
      paths: { '/a': { get: { operationId: 'a', responses: success } } },
    });
    expect((await tools())[0]?.outputSchema).toEqual(output ?? undefined);
  },
);
