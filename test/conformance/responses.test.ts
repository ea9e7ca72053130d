/** The declared response that is sent, and its content: R01 to R04 and R07 to R12. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { errorOf } from './ask';
import { type Answering, type Get, response, serveResponses } from './serve-replies';

const any = (type: string) => response({}, `application/vnd.${type}+json`);
const given = (status: number, responses: object): Answering => ({
  responses,
  response: { status, body: 1 },
});

describe('which response', () => {
  const exact = any('exact');
  const range = any('range');
  const other = any('default');
  const all = { 200: exact, '2XX': range, default: other };
  const cases: Record<string, Answering> = {
    exact: given(200, all),
    range: given(201, all),
    otherwise: given(302, all),
    lowerCase: given(201, { '2xx': range, default: other }),
    onlyRange: given(299, { '2XX': range }),
    ofTheDefault: given(200, { default: other }),
    impliedSuccess: { responses: { 404: exact }, response: { status: 200 } },
    undeclared: given(201, { 200: exact }),
    outOfRange: given(302, { '2XX': range }),
    // A 1xx is no final answer, declared or not (RFC 9110 section 15.2).
    interim: given(102, { 102: exact }),
  };
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses(cases);
  });

  test.each([
    ['R01', 'exact', 200, 'exact'],
    ['R01', 'range', 201, 'range'],
    ['R01', 'otherwise', 302, 'default'],
    ['R01', 'lowerCase', 201, 'default'],
    ['R01', 'onlyRange', 299, 'range'],
    ['R03', 'ofTheDefault', 200, 'default'],
  ])('%s %s', async (_id, name, status, type) => {
    const response = await get(name);
    expect([response.status, response.headers['content-type']]).toEqual([
      status,
      `application/vnd.${type}+json`,
    ]);
  });

  test('200 without content where only failures are declared', async () => {
    const { status, text: body } = await get('impliedSuccess');
    expect([status, body]).toEqual([200, '']);
  });

  test.each([
    ['undeclared', 'undeclared answered 201, which is not declared'],
    ['outOfRange', 'outOfRange answered 302, which is not declared'],
    ['interim', 'interim answered 102, which is not declared'],
  ])('R02 %s is a fault of the server, and logged', async (name, message) => {
    const response = await get(name);
    expect([response.status, response.logged]).toEqual([500, [message]]);
    expect(errorOf(response)).toMatchObject({ code: 500, type: 'internal' });
  });
});

describe('R02 where responses are not checked', () => {
  const other = (body?: unknown, headers: object = {}): Answering => ({
    responses: { 200: response({}) },
    response: { status: 201, ...(body === undefined ? {} : { body }), headers: { ...headers } },
  });
  const header = { 'X-Count': { required: true, schema: { type: 'integer' } } };
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses(
      {
        object: other({ a: 1 }),
        text: other('a'),
        bytes: other(new Uint8Array([97])),
        nothing: other(),
        said: other('a', { 'content-type': 'text/csv' }),
        noHeader: {
          responses: { 201: { ...response({}), headers: header } },
          response: { status: 201, body: 1 },
        },
      },
      {},
      false,
    );
  });

  test.each<[name: string, type: string | undefined, body: string]>([
    ['object', 'application/json', '{"a":1}'],
    ['text', 'text/plain; charset=utf-8', 'a'],
    ['bytes', 'application/octet-stream', 'a'],
    ['nothing', undefined, ''],
    ['said', 'text/csv; charset=utf-8', 'a'],
    ['noHeader', 'application/json', '1'],
  ])('%s is sent as the handler gives it', async (name, type, body) => {
    const answer = await get(name);
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([201, type, body]);
    expect(answer.logged).toEqual([]);
  });
});

describe('default', () => {
  const required = { parameters: [{ name: 'n', in: 'query', required: true, schema: {} }] };
  const apiError = {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'integer' }, message: { type: 'string' } },
  };
  const error = { ...response(apiError, 'application/vnd.error+json'), description: 'Unexpected' };
  const value = { type: 'array', items: { type: 'integer' } };
  let get: Get;
  beforeAll(async () => {
    const given = { status: 200, body: [1] };
    get = await serveResponses({
      success: { responses: { default: response(value) }, response: given, operation: required },
      beside: {
        responses: { 200: response(value), default: error },
        response: given,
        operation: required,
      },
      besideRange: {
        responses: { '2XX': response(value), default: error },
        response: given,
        operation: required,
      },
      ofRange: {
        responses: { 200: response(value), '4XX': error },
        response: given,
        operation: required,
      },
      beside400: {
        responses: {
          200: response(value),
          400: { ...error, description: 'Bad' },
          default: { description: 'No' },
        },
        response: given,
        operation: required,
      },
    });
  });

  test.each([
    ['success', 'application/json', '[1]'],
    ['beside', 'application/json', '[1]'],
    ['besideRange', 'application/json', '[1]'],
  ])('R03 %s', async (name, type, body) => {
    const response = await get(name, type, 'GET', '?n=1');
    expect([response.status, response.headers['content-type'], response.text]).toEqual([
      200,
      type,
      body,
    ]);
    expect((await get(name, 'text/html', 'GET', '?n=1')).status).toBe(406);
  });

  test.each([
    ['beside', 'application/vnd.error+json', 'A parameter does not fit its schema'],
    ['besideRange', 'application/vnd.error+json', 'A parameter does not fit its schema'],
    ['ofRange', 'application/vnd.error+json', 'A parameter does not fit its schema'],
    ['beside400', 'application/vnd.error+json', 'Bad'],
    ['success', 'application/json', 'A parameter does not fit its schema'],
  ])(
    'R03 an error %s default: the sentence is the description of the exact status, else our own',
    async (name, type, message) => {
      const response = await get(name);
      expect([response.status, response.headers['content-type']]).toEqual([400, type]);
      expect(errorOf(response)).toEqual({ code: 400, type: 'invalid-parameter', message });
    },
  );
});

describe('content', () => {
  const plain = { description: 'Nothing' };
  const json = response({ type: 'integer' });
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses({
      empty: { responses: { 200: plain }, response: { status: 200, body: { not: 'sent' } } },
      fails: {
        responses: { 400: plain, 200: plain },
        response: { status: 200 },
        operation: { parameters: [{ name: 'n', in: 'query', required: true, schema: {} }] },
      },
      204: { responses: { 204: json }, response: { status: 204, body: 1 } },
      304: { responses: { 304: json }, response: { status: 304, body: 1 } },
      200: {
        responses: { 200: json },
        response: { status: 200, body: 1, headers: { 'X-A': 'b' } },
      },
    });
  });

  test('R04 a response without content carries none', async () => {
    const response = await get('empty', 'text/html');
    expect([response.status, response.text, response.headers['content-length']]).toEqual([
      200,
      '',
      '0',
    ]);
    expect(response.headers).not.toHaveProperty('content-type');
  });

  test('R04 a failure without content carries none', async () => {
    const response = await get('fails');
    expect([response.status, response.text]).toEqual([400, '']);
  });

  test.each(['204', '304'])('R09 %s', async (name) => {
    const response = await get(name);
    expect([response.status, response.text]).toEqual([Number(name), '']);
    expect(response.headers).not.toHaveProperty('content-length');
  });

  test('R09 HEAD', async () => {
    const response = await get('200', undefined, 'HEAD');
    expect([response.status, response.text, response.called]).toEqual([200, '', true]);
    expect(response.headers).toMatchObject({
      'content-length': '1',
      'content-type': 'application/json',
      'x-a': 'b',
    });
  });
});

describe('values', () => {
  const secret = { type: 'string', writeOnly: true };
  const user = {
    type: 'object',
    required: ['id', 'password'],
    xml: { name: 'user' },
    properties: {
      id: { type: 'integer', format: 'int64', readOnly: true },
      password: secret,
      friends: { type: 'array', items: { $ref: '#/components/schemas/User' } },
    },
  };
  const ref = { $ref: '#/components/schemas/User' };
  const both = ['application/json', 'application/xml'];
  const number = { type: 'number' };
  const counts = { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } };
  const responses = (schema: object, body: unknown): Answering => ({
    responses: { 200: response(schema, ...both) },
    response: { status: 200, body },
  });
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses(
      {
        user: responses(ref, {
          id: 9223372036854775807n,
          password: 'x',
          friends: [{ id: -1n, password: 'y' }],
        }),
        withoutId: responses(ref, { password: 'x' }),
        withoutPassword: responses(ref, { id: 1n }),
        large: responses(number, 1e21),
        small: responses(number, 1.5e-7),
        infinite: responses(number, Number.POSITIVE_INFINITY),
        date: responses({ type: 'string', format: 'date-time' }, '2024-02-29T12:00:00Z'),
        noDate: responses({ type: 'string', format: 'date-time' }, '29.2.2024'),
        counts: responses(counts, JSON.parse('{"available":3,"on hold":0,"__proto__":1}')),
        wrongCounts: responses(counts, { available: 'three' }),
        largeCounts: responses(counts, { available: 2 ** 31 }),
      },
      { components: { schemas: { User: user } } },
    );
  });

  test.each([
    ['R10 JSON', 'user', both[0], '{"id":9223372036854775807,"friends":[{"id":-1}]}'],
    ['R10 a writeOnly property need not be there', 'withoutPassword', both[0], '{"id":1}'],
    ['R11 JSON, a large number', 'large', both[0], '1e+21'],
    ['R11 XML, a small number', 'small', both[1], '<number>1.5e-7</number>'],
    ['R11 JSON, a date-time', 'date', both[0], '"2024-02-29T12:00:00Z"'],
    ['R12 JSON', 'counts', both[0], '{"available":3,"on hold":0,"__proto__":1}'],
  ])('%s', async (_title, name, accept, body) => {
    const response = await get(name, accept);
    expect([response.status, response.text]).toEqual([
      200,
      accept === both[1] ? `<?xml version="1.0" encoding="UTF-8"?>\n${body}` : body,
    ]);
  });

  test('R10 R11 XML', async () => {
    const response = await get('user', both[1]);
    expect(response.text).toContain(
      '<user><id>9223372036854775807</id><user><id>-1</id></user></user>',
    );
  });

  test.each([
    ['R10 a required readOnly property is missing', 'withoutId', /id/],
    ['R11 no number of JSON', 'infinite', /between/],
    ['R11 no date-time', 'noDate', /date-time/],
    ['R12 a value of another type', 'wrongCounts', /available/],
    ['R12 a value beyond its format', 'largeCounts', /available/],
  ])('%s: reported, and not sent', async (_title, name, message) => {
    const response = await get(name);
    expect([response.status, response.logged]).toEqual([500, [expect.stringMatching(message)]]);
  });
});

describe('headers', () => {
  const int64 = { type: 'integer', format: 'int64' };
  const text = { type: 'string' };
  const headers = {
    'X-Rate-Limit': { schema: { type: 'integer', format: 'int32' } },
    'X-Large': { schema: { type: 'integer', format: 'int64' } },
    'X-Expires-After': { schema: { type: 'string', format: 'date-time' } },
    'X-List': { schema: { type: 'array', items: { type: 'integer' } } },
    'X-Tuple': { schema: { type: 'array', prefixItems: [int64, text] } },
    'X-Patterned': { schema: { type: 'object', patternProperties: { '^x': int64 } } },
    'X-Pairs': { schema: { type: 'object' } },
    'X-Exploded': { explode: true, schema: { type: 'object' } },
    'Content-Type': { schema: { type: 'string', enum: ['text/never'] } },
  };
  const required = { 'X-Required': { required: true, schema: { type: 'string' } } };
  const answer = (declared: object, given: Readonly<Record<string, unknown>>): Answering => ({
    responses: { 200: { ...response({ type: 'integer' }), headers: declared } },
    response: { status: 200, body: 1, headers: given },
  });
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses(
      {
        typed: answer(headers, {
          'X-Rate-Limit': 5000,
          'x-large': 9223372036854775807n,
          'X-EXPIRES-AFTER': '2024-02-29T12:00:00Z',
          'X-List': [1, 2],
          'X-Tuple': [8n, '7'],
          'X-Patterned': { x1: 9007199254740993n },
          'X-Pairs': { R: 1, G: 2 },
          'X-Exploded': { R: 1, G: 2 },
        }),
        absent: answer(headers, { 'X-Rate-Limit': undefined }),
        undeclared: answer({}, { 'X-Own': 5, 'Set-Cookie': ['a=1', 'b=2'] }),
        split: answer({}, { 'X-Own': 'a\r\nX-Injected: b' }),
        foreign: answer(headers, { 'X-Own': 'Zürich 東京' }),
        ill: answer(headers, { 'X-Rate-Limit': 'many' }),
        illDate: answer(headers, { 'X-Expires-After': 'tomorrow' }),
        required: answer(required, { 'x-required': 'here' }),
        missing: answer(required, {}),
        illTuple: answer(headers, { 'X-Tuple': ['x', '7'] }),
        illPattern: answer(headers, { 'X-Patterned': { x1: 'x' } }),
      },
      { openapi: '3.1.2' },
    );
  });

  test('R07 values are written in simple style', async () => {
    expect((await get('typed')).headers).toMatchObject({
      'x-rate-limit': '5000',
      'x-large': '9223372036854775807',
      'x-expires-after': '2024-02-29T12:00:00Z',
      'x-list': '1,2',
      'x-tuple': '8,7',
      'x-patterned': 'x1,9007199254740993',
      'x-pairs': 'R,1,G,2',
      'x-exploded': 'R=1,G=2',
      'content-type': 'application/json',
    });
  });

  test('R07 an absent value is no header', async () => {
    const response = await get('absent');
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('x-rate-limit');
  });

  test.each(['ill', 'illDate', 'illTuple', 'illPattern'])(
    'R07 a value that does not fit is reported, and not sent: %s',
    async (name) => {
      const response = await get(name);
      expect([response.status, response.logged]).toEqual([
        500,
        [expect.stringMatching(/header X-/)],
      ]);
    },
  );

  test('R08 undeclared headers are allowed', async () => {
    const response = await get('undeclared');
    expect([response.status, response.headers['x-own'], response.headers['set-cookie']]).toEqual([
      200,
      '5',
      ['a=1', 'b=2'],
    ]);
  });

  test.each(['split', 'foreign'])(
    'R08 text that no header can carry is reported, and not sent: %s',
    async (name) => {
      const response = await get(name);
      expect([response.status, response.logged]).toEqual([
        500,
        ['Invalid character in header content ["X-Own"]'],
      ]);
      expect(JSON.parse(response.text)).toMatchObject({ code: 500, type: 'internal' });
    },
  );

  test('R08 a required header', async () => {
    expect((await get('required')).headers['x-required']).toBe('here');
    const response = await get('missing');
    expect([response.status, response.logged]).toEqual([
      500,
      ['The response lacks the header X-Required'],
    ]);
  });
});
