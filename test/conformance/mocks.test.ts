/** Operations without a handler answer mocks made from the document where that is wanted, and 501 where it is not. */

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SecurityHandlers } from '../../src/engine/security/credentials';
import { type ServedOrigin, serveDocument } from '../support/serve-document';
import { valuesOf } from '../support/text-cases';
import { ask, callerOf, errorOf, faultsOf } from './ask';

const cases = join(__dirname, 'mocks.cases.txt');

const string = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object, types: readonly string[], more: object = {}) => ({
  description: 'Fine',
  content: Object.fromEntries(types.map((type) => [type, { schema, ...more }])),
});
const jsonAndXml = ['application/json', 'application/xml'];

const thing = {
  type: 'object',
  required: ['id', 'secret'],
  xml: { name: 'thing' },
  properties: {
    id: { ...int64, example: 9223372036854775807n, xml: { attribute: true } },
    kind: { ...string, enum: ['large', 'small'] },
    secret: { ...string, writeOnly: true },
    parts: { type: 'array', items: ref('Thing'), xml: { wrapped: true } },
  },
};
const cats = {
  examples: {
    tom: { value: { id: 1, kind: 'small' } },
    odd: { $ref: '#/components/examples/Odd' },
    wrong: { value: { id: 'one' } },
  },
};
const xmlExample = { example: '<thing id="12"><kind>small</kind></thing>' };
const text = (type: string, schema: object, more: object = {}) => ({
  responses: { 200: content(schema, [type], more) },
});

const hidden = { type: 'object', properties: { secret: { ...string, writeOnly: true } } };
const tokens = {
  type: 'object',
  required: ['apiKeys'],
  properties: {
    id: { ...string, example: 'x' },
    hint: { ...string, format: 'password' },
    next_token: { ...string, pattern: '^[a-z-]+$' },
    tokenType: string,
    uuidToken: { ...string, format: 'uuid' },
    apiKeys: { type: 'array', items: { ...string, maxLength: 4 }, minItems: 1 },
  },
};

/** The operations, without their ids. */
const operations: Readonly<Record<string, object>> = {
  made: { responses: { 404: content(string, jsonAndXml), 200: content(ref('Thing'), jsonAndXml) } },
  lowest: { responses: { 202: { description: 'Later' }, 201: content(int64, jsonAndXml) } },
  range: { responses: { '2XX': content(int64, ['application/json']) } },
  default: { responses: { default: content(int64, ['application/json']) } },
  empty: { responses: { 204: { description: 'Nothing' } } },
  failures: { responses: { 404: { description: 'Never' } } },
  redirect: {
    responses: {
      302: { description: 'Away', headers: { Location: { schema: string, example: '/things' } } },
    },
  },
  moved: {
    responses: { '3XX': { description: 'Away', headers: { location: { schema: string } } } },
  },
  impossible: text('application/json', { type: 'integer', minimum: 2, maximum: 1 }),
  example: text('application/json', ref('Thing'), { example: { id: 5, more: [true] } }),
  badExample: text('application/json', ref('Thing'), { example: { id: 'five' } }),
  examples: text('application/json', ref('Thing'), cats),
  xmlText: { responses: { 200: content(ref('Thing'), ['application/xml'], xmlExample) } },
  form: text('application/x-www-form-urlencoded', ref('Thing')),
  plain: text('text/plain', { type: 'integer', minimum: 7 }),
  plainObject: text('text/plain', { type: 'object', properties: { a: string } }),
  html: text('text/html', string, { example: '<p>Hello</p>' }),
  csv: text(
    'text/csv',
    { type: 'array', items: { type: 'object', properties: { a: int64, b: string } } },
    { example: 'b,a\r\nx,5\r\n' },
  ),
  list: text('text/csv', { type: 'array', items: string }, { example: 'a,b\r\n' }),
  yaml: text('application/yaml', { type: 'object', properties: { a: int64 } }),
  picture: text('image/png', { type: 'string', format: 'binary' }),
  bytes: text('application/octet-stream', { ...string, format: 'binary' }, { example: 'abc' }),
  jsonText: text('application/json', ref('Thing'), { example: '{ "kind": "small",  "id": 5 }' }),
  textOfJson: text('application/json', string, { example: '{"id": 5}' }),
  plainJson: text('text/plain', string, { example: '{"id":  5}' }),
  plainDigits: text('text/plain', { type: 'integer' }, { example: '12' }),
  xmlAlone: { responses: { 200: { description: 'Any', content: { 'text/xml': xmlExample } } } },
  withSecret: text('application/json', hidden, { example: '{ "secret": "abc" }' }),
  tokens: text('application/json', tokens),
  tokenText: text('application/json', tokens, {
    example: '{ "next_token": "abc",  "apiKeys": ["x"] }',
  }),
  loginUser: text('application/json', string, { example: 'abc' }),
  loginPage: text('text/html', string, { example: '<p>Log in</p>' }),
  welcome: {
    parameters: [{ name: 'passWord', in: 'query', schema: string }],
    ...text('text/plain', string),
  },
  loginProviders: text('application/json', {
    type: 'object',
    properties: {
      cookie: { ...string, enum: ['accepted', 'refused'] },
      tokens: { type: 'array', items: { ...string, enum: ['google', 'github'] } },
    },
  }),
  publicTokens: text('application/json', {
    type: 'object',
    properties: {
      next_page_token: { ...string, pattern: '^[0-9]{6}$', example: '123456' },
      pageToken: string,
      token: { ...string, format: 'date' },
      tokens: { type: 'integer' },
      secret: { ...string, example: 'abc' },
      apiKey: { ...string, default: 'def' },
    },
  }),
  fixedTokens: text('application/json', {
    type: 'object',
    required: ['access_token', 'secret'],
    properties: {
      access_token: { ...string, pattern: '^sk_[a-z]{6}$' },
      secret: { ...string, pattern: '^[A-Z]{6}$' },
    },
  }),
  passwordText: text('application/json', {
    type: 'object',
    properties: { hint: { ...string, format: 'password', example: 'abc' } },
  }),
  requiredUuid: text('application/json', {
    type: 'object',
    required: ['token'],
    properties: { token: { ...string, format: 'uuid' } },
  }),
  tokenOfForm: text('application/json', { ...string, format: 'uuid' }),
  picturedText: text('image/svg+xml', string, { example: '<svg/>' }),
  anything: { responses: { 200: { description: 'Any', content: { 'application/json': {} } } } },
  headers: {
    responses: {
      200: {
        ...content(string, ['application/json']),
        headers: {
          'X-Rate': { required: true, schema: { type: 'integer', minimum: 3 } },
          'X-Until': { required: true, schema: { ...string, format: 'date-time' } },
          'X-Tags': { required: true, schema: { type: 'array', items: string, minItems: 2 } },
          'X-Given': { schema: string, example: 'here' },
          'X-Other': { schema: string },
          'Content-Length': { required: true, schema: { type: 'integer' } },
        },
      },
    },
  },
  secured: {
    security: [{ key: [] }],
    parameters: [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' } }],
    requestBody: content(ref('Thing'), ['application/json']),
    responses: { 200: content(string, ['application/json']) },
  },
};

/** Examples of OpenAPI 3.2, each the only one of an operation. */
const examples: Readonly<Record<string, object>> = {
  data: text('application/json', ref('Thing'), { examples: { a: { dataValue: { id: 5 } } } }),
  both: text('application/json', ref('Thing'), {
    examples: { a: { dataValue: { id: 5 }, serializedValue: '{ "id": 5 }' } },
  }),
  sent: text('application/xml', ref('Thing'), {
    examples: { a: { serializedValue: '<thing  id="12"/>' } },
  }),
  sentText: text('application/json', string, { examples: { a: { serializedValue: ' "a"' } } }),
  unread: text('text/html', string, {
    examples: { a: { dataValue: 'a', serializedValue: '<p>a</p>' } },
  }),
  unfit: text('application/json', ref('Thing'), {
    examples: { a: { serializedValue: '{"id": "x"}' }, b: { dataValue: '{"id": 1}' } },
  }),
  items: {
    responses: {
      200: {
        content: {
          'application/jsonl': {
            itemSchema: int64,
            examples: { a: { dataValue: ['x'] }, b: { dataValue: [1, 2] } },
          },
        },
      },
    },
  },
  itemsSent: {
    responses: {
      200: {
        content: {
          'application/jsonl': {
            itemSchema: int64,
            examples: { a: { serializedValue: '1\n\n2' } },
          },
        },
      },
    },
  },
  named: {
    responses: { 200: { content: { 'application/json': { $ref: '#/components/mediaTypes/A' } } } },
  },
  header: {
    responses: {
      200: {
        headers: {
          'X-A': { schema: string, examples: { a: { serializedValue: 'a' }, b: { value: 'b' } } },
        },
      },
    },
  },
};

const securityHandlers: SecurityHandlers = {
  apiKey: async (key) => (key === 'good' ? callerOf('key') : undefined),
};

const serve = (mocks: boolean, all = operations, openapi = '3.0.3'): Promise<ServedOrigin> =>
  serveDocument({
    mocks,
    securityHandlers,
    document: {
      openapi,
      paths: Object.fromEntries(
        Object.entries(all).map(([operationId, operation]) => [
          `/${operationId}`,
          { [operationId === 'secured' ? 'put' : 'get']: { operationId, ...operation } },
        ]),
      ),
      components: {
        ...(openapi === '3.2.0' && { mediaTypes: { A: { schema: string, example: 'by name' } } }),
        schemas: { Thing: thing },
        examples: { Odd: { value: { id: 3, kind: 'large' } } },
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      },
    },
  });

describe('where mocks are wanted', () => {
  let url = '';
  beforeAll(async () => {
    url = (await serve(true)).url;
  });

  test.each(
    valuesOf<[title: string, name: string, body: string, status?: number]>(
      cases,
      'where mocks are wanted',
    ),
  )('%s', async (_title, name, body, status = 200) => {
    const response = await ask(url, `/${name}`);
    const mark = response.headers['x-mock'];
    expect([response.status, response.text, mark]).toEqual([status, body, 'true']);
  });

  test('the same value in XML', async () => {
    const { text: body } = await ask(url, '/made', { headers: { Accept: 'application/xml' } });
    const value = '<thing id="9223372036854775807"><kind>large</kind><parts/></thing>';
    expect(body).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${value}`);
  });

  test('browsers run no script of a mock', async () => {
    const policies = ['loginPage', 'picturedText', 'xmlAlone', 'made'].map(async (name) => {
      const { headers } = await ask(url, `/${name}`);
      return headers['content-security-policy'];
    });
    expect(await Promise.all(policies)).toEqual(['sandbox', 'sandbox', 'sandbox', undefined]);
  });

  test.each([
    ['example=odd', '{"id":3,"kind":"large"}'],
    ['example="tom"', '{"id":1,"kind":"small"}'],
    ['example=wrong', '{"id":1,"kind":"small"}'],
  ])('Prefer: %s', async (prefer, body) => {
    const response = await ask(url, '/examples', { headers: { Prefer: prefer } });
    expect([response.status, response.text]).toEqual([200, body]);
  });

  test('R08 headers that are required, and those that have an example', async () => {
    const { headers } = await ask(url, '/headers');
    expect(headers).toMatchObject({
      'x-rate': '3',
      'x-until': '2024-01-01T12:00:00Z',
      'x-tags': 'string,string1',
      'x-given': 'here',
      'content-length': '8',
      'x-mock': 'true',
    });
    expect(headers).not.toHaveProperty('x-other');
  });

  test('a redirect says where to', async () => {
    const { status, headers } = await ask(url, '/redirect');
    expect([status, headers['location'], headers['x-mock']]).toEqual([302, '/things', 'true']);
    expect((await ask(url, '/moved')).headers).toMatchObject({ location: expect.any(String) });
  });

  test.each([
    ['requiredUuid', /no mock: its schema has no token that says that it is a mock's$/],
    ['impossible', /no handler and no mock: no integer was found at the top/],
  ])('%s is not implemented, and says why', async (name, message) => {
    const response = await ask(url, `/${name}`);
    expect(errorOf(response)).toEqual({
      code: 501,
      type: 'not-implemented',
      message: expect.stringMatching(message),
    });
    expect(response.headers).not.toHaveProperty('x-mock');
  });

  const json = { 'Content-Type': 'application/json' };
  const key = { 'X-Key': 'good' };
  test.each(
    valuesOf<
      [
        title: string,
        query: string,
        headers: Readonly<Record<string, string>>,
        body: string,
        status: number,
        faults: readonly string[],
      ]
    >(cases, 'a mock is not reached'),
  )('a mock is not reached %s', async (_title, query, headers, body, status, faults) => {
    const response = await ask(url, `/secured${query}`, { method: 'PUT', headers, body });
    expect([response.status, faultsOf(response)]).toEqual([status, faults]);
    expect(response.headers).not.toHaveProperty('x-mock');
  });

  test('a mock is reached by a good request', async () => {
    const headers = { ...json, ...key };
    const asked = { method: 'PUT', headers, body: '{"id":1,"secret":"s"}' };
    const response = await ask(url, '/secured?n=1', asked);
    expect([response.status, response.text, response.headers['x-mock']]).toEqual([
      200,
      '"string"',
      'true',
    ]);
  });

  test('R09 HEAD has the headers alone', async () => {
    const response = await ask(url, '/made', { method: 'HEAD' });
    expect([response.status, response.text, response.headers['x-mock']]).toEqual([200, '', 'true']);
  });
});

describe('where mocks are not wanted', () => {
  let url = '';
  beforeAll(async () => {
    url = (await serve(false)).url;
  });

  test.each(['made', 'example', 'empty'])('%s is not implemented', async (name) => {
    const response = await ask(url, `/${name}`);
    const message = `${name} is not implemented`;
    expect(errorOf(response)).toEqual({ code: 501, type: 'not-implemented', message });
    expect(response.headers).not.toHaveProperty('x-mock');
  });
});

describe('W42 examples of OpenAPI 3.2', () => {
  let url = '';
  beforeAll(async () => {
    url = (await serve(true, examples, '3.2.0')).url;
  });

  test.each(
    valuesOf<[title: string, name: string, body: string]>(cases, 'W42 examples of OpenAPI 3.2'),
  )('%s', async (_title, name, body) => {
    const response = await ask(url, `/${name}`);
    expect([response.status, response.text]).toEqual([200, body]);
  });

  test('a header is made of an example with a value', async () => {
    expect((await ask(url, '/header')).headers['x-a']).toBe('b');
  });
});
