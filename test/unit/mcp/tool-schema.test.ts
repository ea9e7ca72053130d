/** Schemas of tools: what is said of arguments and results, in words that the clients in use accept. */

import { describe, expect, test } from '@jest/globals';
import { agentOf } from '../../support/agent';

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
  test.each<[name: string, schema: object, written: object]>([
    [
      'long integers are digits',
      { type: 'integer', format: 'int64' },
      { type: 'string', pattern: '^-?[0-9]{1,20}$' },
    ],
    ...(
      [
        [{}, {}],
        [{ enum: [1, 2, null] }, { enum: ['1', '2', null] }],
        [{ const: null }, { enum: [null] }],
        [{ default: null }, { default: null }],
        [{ default: 7 }, { default: '7' }],
      ] as const
    ).map(([more, written]): [string, object, object] => [
      `long integers that may be null: ${JSON.stringify(more)}`,
      { type: ['integer', 'null'], format: 'int64', ...more },
      { type: ['string', 'null'], pattern: '^-?[0-9]{1,20}$', ...written },
    ]),
    [
      'long integers among texts',
      { type: ['integer', 'string'], format: 'int64' },
      { type: 'string' },
    ],
    [
      'values that contradict their schema are left out',
      {
        type: 'object',
        properties: {
          a: { type: 'integer', format: 'int32', default: '20 - all' },
          b: { type: 'string', enum: ['x', 5] },
          c: { type: 'string', maxLength: 2, default: 'long' },
        },
        required: ['a'],
      },
      {
        type: 'object',
        properties: {
          a: { type: 'integer' },
          b: { type: 'string', enum: ['x'] },
          c: { type: 'string', maxLength: 2 },
        },
        required: ['a'],
      },
    ],
    [
      'short ones stay numbers',
      { type: 'integer', format: 'int64', minimum: 1, maximum: 100 },
      { type: 'integer', minimum: 1, maximum: 100 },
    ],
    [
      'members that hold together are one object',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'integer', format: 'int32' } } },
        ],
      },
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'integer' } },
        required: ['a'],
      },
    ],
    [
      'what the server gives is not asked for',
      {
        type: 'object',
        properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
        required: ['id', 'name'],
      },
      { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    ],
    [
      'what has a default may be left out',
      { type: 'object', properties: { a: { type: 'string', default: 'x' } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
    ],
    [
      'unions are choices',
      { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'boolean' } } }] },
      { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'boolean' } } }] },
    ],
    [
      'null is a type',
      { type: ['string', 'null'], enum: ['a', null] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'names that clients refuse are told beside the properties',
      { type: 'object', properties: { '@id': { type: 'string' }, 'a b': {} }, required: ['@id'] },
      { type: 'object', description: 'Further members: "@id", "a b"', properties: {} },
    ],
    [
      'maps',
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
    ],
    [
      'patterns that are no regular expressions of their validators are left out',
      { type: 'string', pattern: '^[\\w-.]+$', maxLength: 9 },
      { type: 'string', maxLength: 9 },
    ],
    [
      'lists',
      { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
      { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
    ],
  ])('%s', async (_name, schema, written) => {
    expect(await bodyOf(schema)).toEqual(JSON.parse(JSON.stringify(written)));
  });

  const tagged = (tag?: string) => ({
    type: 'object',
    properties: { kind: { type: 'string', ...(tag && { enum: [tag] }) } },
    required: ['kind'],
  });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const heir = { allOf: [ref('Base')] };
  const kinds = (tags: readonly string[]) => ({
    ...tagged(),
    properties: { kind: { type: 'string', enum: tags } },
  });
  const byKind = { propertyName: 'kind' };

  test.each<[name: string, schema: object, components: object, written: object]>([
    [
      'branches by their names and by the mapping',
      {
        oneOf: [ref('A'), ref('B'), ref('C')],
        discriminator: { ...byKind, mapping: { aa: '#/components/schemas/A' } },
      },
      { A: tagged(), B: tagged(), C: tagged('own') },
      { anyOf: [tagged('aa'), tagged('B'), tagged('own')] },
    ],
    [
      'the property beside a union',
      { ...tagged(), anyOf: [ref('A'), ref('B')], discriminator: byKind },
      { A: tagged(), B: tagged() },
      { ...kinds(['A', 'B']), anyOf: [tagged('A'), tagged('B')] },
    ],
    [
      'what inherits from a base, where that is meant',
      ref('Base'),
      { Base: { ...tagged(), discriminator: byKind }, A: heir, B: { allOf: [ref('A')] } },
      kinds(['A', 'B']),
    ],
    [
      'an heir',
      ref('A'),
      { Base: { ...tagged(), discriminator: { ...byKind, mapping: { aa: 'A' } } }, A: heir },
      tagged('aa'),
    ],
  ])('the values of a discriminator are told: %s', async (_name, schema, components, written) => {
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

test.each<[name: string, content: object, written: object]>([
  [
    'bytes',
    { 'application/octet-stream': {} },
    {
      type: 'object',
      properties: {
        data: expect.anything(),
        mediaType: { type: 'string', default: 'application/octet-stream' },
      },
      required: ['data'],
      additionalProperties: false,
    },
  ],
  [
    'files of forms',
    {
      'multipart/form-data': {
        schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
      },
    },
    {
      type: 'object',
      properties: {
        file: {
          type: 'object',
          properties: {
            data: expect.anything(),
            mediaType: { type: 'string', default: 'application/octet-stream' },
            name: expect.anything(),
          },
          required: ['data'],
          additionalProperties: false,
        },
      },
    },
  ],
  [
    'the format that agents write best',
    {
      'application/xml': { schema: { type: 'object' } },
      'application/json': { schema: { type: 'object', properties: { a: {} } } },
    },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'items',
    { 'application/jsonl': { itemSchema: { type: 'object' } } },
    { type: 'array', items: { type: 'object', properties: {} } },
  ],
])('the argument of %s', async (_name, content, written) => {
  const { tools } = await agentOf({
    openapi: '3.2.0',
    paths: {
      '/a': { post: { operationId: 'a', requestBody: { required: true, content }, responses } },
    },
  });
  const [tool] = await tools();
  expect(tool?.inputSchema.properties.body).toEqual(written);
  expect(tool?.inputSchema.required).toEqual(['body']);
});

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

test.each<[name: string, success: object, output: object | undefined]>([
  [
    'an object',
    {
      200: {
        description: 'Fine',
        ...json({
          type: 'object',
          properties: { id: { type: 'integer' }, secret: { type: 'string', writeOnly: true } },
          required: ['id'],
        }),
      },
    },
    { type: 'object', properties: { id: { type: ['integer', 'string'] } } },
  ],
  [
    'a list',
    { 200: { description: 'Fine', ...json({ type: 'array', items: { type: 'string' } }) } },
    {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'string' } } },
      required: ['items'],
    },
  ],
  ['nothing', { 204: { description: 'Gone' } }, undefined],
  [
    'two successes',
    {
      200: { description: 'Fine', ...json({ type: 'object' }) },
      201: { description: 'Made', ...json({ type: 'object' }) },
    },
    undefined,
  ],
  ['a text', { 200: { description: 'Fine', ...json({ type: 'string' }) } }, undefined],
  ['anything', { 200: { description: 'Fine', ...json({}) } }, undefined],
  ['a default', { default: { description: 'Fine', ...json({ type: 'object' }) } }, undefined],
])('the output of %s', async (_name, success, output) => {
  const { tools } = await agentOf({
    paths: { '/a': { get: { operationId: 'a', responses: success } } },
  });
  expect((await tools())[0]?.outputSchema).toEqual(output);
});
