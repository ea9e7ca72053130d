/** Validation of values by the document's schemas, over HTTP: chapter "Schema and document", D01 to D09. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, faultsOf, recording } from './ask';
import { refused, type SendTo, serveSchemas } from './serve-schemas';

let send: SendTo;
beforeAll(async () => {
  const cat = { $ref: '#/components/schemas/Cat' };
  const dog = { $ref: '#/components/schemas/Dog' };
  const formats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];
  const typeOf = (format: string): string =>
    /^int/.test(format) ? 'integer' : /^(float|double)$/.test(format) ? 'number' : 'string';
  send = await serveSchemas(
    {
      nullable: { type: 'string', nullable: true },
      notNullable: { type: 'string' },
      typeless: { nullable: false },
      enumWithoutNull: { type: 'string', nullable: true, enum: ['a'] },
      enumWithNull: { type: 'string', nullable: true, enum: ['a', null] },
      nullableAround: { nullable: true, allOf: [{ type: 'string' }] },
      above: { type: 'number', minimum: 1, exclusiveMinimum: true },
      atLeast: { type: 'number', minimum: 1, exclusiveMinimum: false },
      below: { type: 'integer', format: 'int64', maximum: 9, exclusiveMaximum: true },
      ...Object.fromEntries(formats.map((format) => [format, { type: typeOf(format), format }])),
      ownFormat: { type: 'string', format: 'colour' },
      unsaid: { type: 'object', properties: { a: { type: 'integer' } } },
      open: { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: true },
      asked: { type: 'object', properties: { a: { type: 'integer' } }, required: ['b'] },
      counted: { type: 'object', properties: { a: { type: 'integer' } }, minProperties: 2 },
      compared: {
        type: 'array',
        uniqueItems: true,
        items: { type: 'object', properties: { a: { type: 'integer' } } },
      },
      excluded: {
        type: 'object',
        properties: { a: { type: 'integer' }, inner: { $ref: '#/components/schemas/Inner' } },
        not: { properties: { inner: { required: ['b'] } } },
      },
      closed: { type: 'object', properties: { a: {} }, additionalProperties: false },
      map: { type: 'object', additionalProperties: { type: 'integer', format: 'int64' } },
      pet: {
        oneOf: [cat, dog],
        discriminator: { propertyName: 'kind', mapping: { c: 'Cat', d: dog.$ref } },
      },
      sibling: { $ref: '#/components/schemas/Word', maxLength: 1, nullable: true },
      tree: { $ref: '#/components/schemas/Tree' },
      circle: { $ref: '#/components/schemas/Circle' },
    },
    {
      Inner: { type: 'object', properties: { c: {} } },
      Word: { type: 'string', minLength: 2 },
      Tree: {
        type: 'object',
        required: ['n'],
        properties: {
          n: { type: 'integer', format: 'int64' },
          below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
      Circle: { type: 'object', allOf: [{ $ref: '#/components/schemas/Circle' }] },
      Cat: {
        type: 'object',
        required: ['kind', 'lives'],
        properties: { kind: { type: 'string' }, lives: { type: 'integer' } },
      },
      Dog: {
        type: 'object',
        required: ['kind', 'barks'],
        properties: { kind: { type: 'string' }, barks: { type: 'boolean' } },
      },
    },
  );
});

type Good = [schema: string, text: string, value: unknown];
type Bad = [schema: string, text: string];

/** Accepted, handed over as the typed value, and written back as it came. */
const accepts = async (schema: string, text: string, value: unknown): Promise<void> => {
  const echo = await send(schema, text);
  expect([echo.status, echo.received, echo.body]).toEqual([200, value, text]);
};

/** Refused as a bad body, and the handler was not called. */
const refuses = async (schema: string, text: string): Promise<void> => {
  const echo = await send(schema, text);
  expect([echo.status, echo.received, JSON.parse(echo.body).type]).toEqual([
    400,
    refused,
    'invalid-body',
  ]);
};

describe('nullable', () => {
  test.each<Good>([
    ['nullable', 'null', null],
    ['typeless', 'null', null],
    ['enumWithNull', 'null', null],
    ['enumWithNull', '"a"', 'a'],
  ])('D01 %s takes %s', accepts);

  test.each<Bad>([
    ['notNullable', 'null'],
    ['enumWithoutNull', 'null'],
    ['nullableAround', 'null'],
  ])('D01 %s refuses %s', refuses);
});

describe('limits', () => {
  test.each<Good>([
    ['above', '1.5', 1.5],
    ['atLeast', '1', 1],
    ['below', '8', 8n],
  ])('D02 %s takes %s', accepts);

  test.each<Bad>([
    ['above', '1'],
    ['atLeast', '0.5'],
    ['below', '9'],
  ])('D02 %s refuses %s', refuses);
});

describe('formats', () => {
  test.each<Good>([
    ['int32', '-2147483648', -2147483648],
    ['int64', '9223372036854775807', 9223372036854775807n],
    ['int64', '-9223372036854775808', -9223372036854775808n],
    ['float', '1.5', 1.5],
    ['double', '1e+300', 1e300],
    ['byte', '"aGk="', 'aGk='],
    ['date', '"2024-02-29"', '2024-02-29'],
    ['date-time', '"2024-02-29T12:00:00.5+01:00"', '2024-02-29T12:00:00.5+01:00'],
    ['password', '"anything"', 'anything'],
    ['ownFormat', '"x"', 'x'],
  ])('D05 %s takes %s', accepts);

  test.each<Bad>([
    ['int32', '2147483648'],
    ['int32', '1.5'],
    ['int64', '9223372036854775808'],
    ['int64', '"5"'],
    ['float', '1e39'],
    ['double', '1e400'],
    ['byte', '"a*b"'],
    ['date', '"2023-02-29"'],
    ['date-time', '"2024-02-29 12:00"'],
    ['date-time', '"2024-02-29T12:00:00"'],
    ['password', '5'],
  ])('D05 %s refuses %s', refuses);
});

describe('additional properties', () => {
  test.each<Good>([
    ['open', '{"a":1,"b":[null]}', { a: 1, b: [null] }],
    ['asked', '{"a":1,"b":2}', { a: 1, b: 2 }],
    ['counted', '{"a":1,"b":2}', { a: 1, b: 2 }],
    ['compared', '[{"a":1},{"a":1,"b":2}]', [{ a: 1 }, { a: 1, b: 2 }]],
    [
      'map',
      '{"__proto__":1,"x y":2}',
      JSON.parse('{"__proto__":1,"x y":2}', (_, item) =>
        typeof item === 'number' ? BigInt(item) : item,
      ),
    ],
  ])('D06 %s takes %s', accepts);

  test('D06 those that nothing asks for are dropped', async () => {
    const echo = await send('unsaid', '{"b":[null],"a":1,"__proto__":2}');
    expect([echo.status, echo.received]).toEqual([200, { a: 1 }]);
  });

  test.each<Bad>([
    ['closed', '{"a":1,"b":2}'],
    ['excluded', '{"inner":{"b":1}}'],
    ['map', '{"a":"1"}'],
  ])('D06 %s refuses %s', refuses);
});

describe('discriminator', () => {
  test.each<Good>([
    ['pet', '{"kind":"c","lives":9}', { kind: 'c', lives: 9 }],
    ['pet', '{"kind":"d","lives":9}', { kind: 'd', lives: 9 }],
    ['pet', '{"kind":"nobody","barks":true}', { kind: 'nobody', barks: true }],
  ])('D07 %s takes %s', accepts);

  test.each<Bad>([
    ['pet', '{"kind":"c","lives":9,"barks":true}'],
    ['pet', '{"kind":"c"}'],
    ['pet', '{"lives":9}'],
  ])('D07 %s refuses %s', refuses);
});

test('D08 siblings of a reference are ignored', async () => {
  await accepts('sibling', '"longer"', 'longer');
  await refuses('sibling', '"l"');
  await refuses('sibling', 'null');
});

describe('cycles of references', () => {
  test('D09 a tree is read to its leaves', async () => {
    await accepts('tree', '{"n":1,"below":[{"n":2,"below":[]}]}', {
      n: 1n,
      below: [{ n: 2n, below: [] }],
    });
    await accepts('circle', '{"a":1}', { a: 1 });
  });

  test('D09 a fault in a leaf is found', async () => {
    const echo = await send('tree', '{"n":1,"below":[{"n":2,"below":[{}]}]}');
    expect([echo.status, faultsOf(echo)]).toEqual([400, ['body /below/0/below/0/n']]);
  });

  test('D09 a tree deeper than any limit is refused', async () => {
    const deep = '{"n":1,"below":['.repeat(5000) + ']}'.repeat(5000);
    await refuses('tree', deep);
  });
});

describe('readOnly and writeOnly', () => {
  const schema = {
    type: 'object',
    required: ['id', 'name', 'secret'],
    properties: {
      id: { type: 'integer', format: 'int64', readOnly: true },
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
    },
  };
  const content = { 'application/json': { schema } };
  const operation = {
    operationId: 'add',
    requestBody: { required: true, content },
    responses: { 200: { description: 'Added', content } },
  };
  const post = async (text: string, response: object) => {
    const { handler, calls } = recording({ status: 200, body: response });
    const { url } = await serveDocument({
      document: { paths: { '/a': { post: operation } } },
      handlers: { add: handler },
    });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await ask(url, '/a', { method: 'POST', headers, body: text });
    return [answer.status, calls[0]?.body, answer.status === 200 ? answer.body : ''];
  };
  const sent = { name: 'a', secret: 's' };
  const stored = { id: 1n, ...sent };
  const written = '{"id":1,"name":"a"}';
  const given = JSON.stringify(sent);

  test.each<[title: string, text: string, response: object, want: unknown[]]>([
    ['a readOnly one need not be sent', given, stored, [200, sent, written]],
    [
      'one that is sent is ignored',
      '{"id":"x","name":"a","secret":"s"}',
      stored,
      [200, sent, written],
    ],
    ['a writeOnly one must be sent', '{"name":"a"}', stored, [400, undefined, '']],
    ['a readOnly one must be answered', given, sent, [500, sent, '']],
    ['a writeOnly one need not be answered', given, { id: 1n, name: 'a' }, [200, sent, written]],
  ])('D03 %s', async (_title, text, response, want) => {
    expect(await post(text, response)).toEqual(want);
  });
});
