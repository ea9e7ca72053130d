/** Values made from schemas: each keyword is heeded, the document's own values come first, and nothing goes on for ever. */

import { describe, expect, test } from '@jest/globals';
import { checkedSample, refTo, sample } from '../sampler';

const string = { type: 'string' };
const integer = { type: 'integer' };
const int64 = { type: 'integer', format: 'int64' };
const number = { type: 'number' };

type Row = readonly [title: string, schema: object, value: unknown];

const expectValue = (schema: object, value: unknown, schemas: object = {}): void => {
  expect(checkedSample(schema, schemas)).toEqual({ value, faults: [] });
};

describe('scalars', () => {
  test.each<Row>([
    ['a string', string, 'string'],
    ['minLength', { ...string, minLength: 8 }, 'stringst'],
    ['maxLength', { ...string, maxLength: 2 }, 'aa'],
    ['maxLength 0', { ...string, maxLength: 0 }, ''],
    ['date', { ...string, format: 'date' }, '2024-01-01'],
    ['date-time', { ...string, format: 'date-time' }, '2024-01-01T12:00:00Z'],
    [
      'a longer date-time',
      { ...string, format: 'date-time', minLength: 24 },
      '2024-01-01T12:00:00.000Z',
    ],
    ['email', { ...string, format: 'email' }, 'user@example.com'],
    ['a short email', { ...string, format: 'email', maxLength: 8 }, 'a@b.co'],
    ['uuid', { ...string, format: 'uuid' }, '3fa85f64-5717-4562-b3fc-2c963f66afa6'],
    ['uri', { ...string, format: 'uri' }, 'https://example.com/'],
    ['a long uri', { ...string, format: 'uri', minLength: 23 }, 'https://example.com/aaa'],
    ['hostname', { ...string, format: 'hostname' }, 'host.example.com'],
    ['ipv4', { ...string, format: 'ipv4' }, '192.0.2.1'],
    ['ipv6', { ...string, format: 'ipv6' }, '2001:db8::1'],
    ['duration', { ...string, format: 'duration' }, 'P1D'],
    ['byte', { ...string, format: 'byte' }, 'dGV4dA=='],
    ['a long byte', { ...string, format: 'byte', minLength: 11 }, 'MDAwMDAwMDAw'],
    ['password', { ...string, format: 'password' }, 'string'],
    ['an unknown format', { ...string, format: 'colour' }, 'string'],
    ['binary', { ...string, format: 'binary' }, Uint8Array.from([97, 98, 99, 100])],
    [
      'binary of a length',
      { ...string, format: 'binary', maxLength: 2 },
      Uint8Array.from([97, 98]),
    ],
    ['pattern', { ...string, pattern: '^[A-Z]{2}-\\d{3}$' }, 'AB-345'],
    ['a format and a pattern', { ...string, format: 'date', pattern: '^2024' }, '2024-01-01'],
    ['an integer', integer, 1],
    ['minimum', { ...integer, minimum: 7 }, 7],
    ['exclusiveMinimum', { ...integer, minimum: 7, exclusiveMinimum: true }, 8],
    ['maximum', { ...integer, maximum: -7 }, -7],
    ['a fraction as maximum', { ...integer, maximum: 0.5, minimum: -0.5 }, 0],
    ['multipleOf', { ...integer, multipleOf: 6, minimum: 7 }, 12],
    ['two divisors', { allOf: [{ ...integer, multipleOf: 4 }, { multipleOf: 6 }] }, 12],
    ['int32', { ...integer, format: 'int32', minimum: 2147483647 }, 2147483647],
    ['int64', int64, 1n],
    ['limits beyond 2^53', { ...int64, minimum: 9007199254740993n }, 9007199254740993n],
    ['the last int64', { ...int64, minimum: 2n ** 63n - 1n }, 2n ** 63n - 1n],
    ['a number', number, 1.5],
    ['a small range', { ...number, minimum: 0.2, maximum: 0.3 }, 0.3],
    [
      'a range without its ends',
      { ...number, minimum: 2, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true },
      2.5,
    ],
    ['a divisor with a fraction', { ...number, multipleOf: 0.1, minimum: 0.25 }, 0.3],
    ['float', { ...number, format: 'float' }, 1.5],
    ['a boolean', { type: 'boolean' }, true],
    ['anything', {}, 'string'],
    ['a type that its keywords tell', { minimum: 4 }, 4],
  ])('%s', (_title, schema, value) => expectValue(schema, value));
});

describe('values of the document', () => {
  test.each<Row>([
    ['an example', { ...string, example: 'x' }, 'x'],
    ['a default', { ...string, default: 'y' }, 'y'],
    ['an example before a default', { ...string, default: 'y', example: 'x' }, 'x'],
    ['an enum', { ...string, enum: ['b', 'a'] }, 'b'],
    ['a default of an enum', { ...string, enum: ['b', 'a'], default: 'a' }, 'a'],
    ['what enums share', { allOf: [{ enum: [1, 2] }, { enum: [3, 2] }] }, 2],
    ['an enum of int64', { ...int64, enum: [5] }, 5n],
    ['an example that does not fit', { ...string, example: 3 }, 'string'],
    ['an example of int64', { ...int64, example: 12 }, 12n],
    [
      'an example with int64 inside',
      { type: 'object', properties: { id: int64 }, example: { id: 4 } },
      { id: 4n },
    ],
    [
      'an example that does not fit, whose parts have examples',
      { type: 'object', properties: { id: { ...int64, example: 9 } }, example: { id: 'x' } },
      { id: 9n },
    ],
    ['null by enum', { ...string, nullable: true, enum: [null] }, null],
    [
      'null where nothing else fits',
      { ...string, nullable: true, minLength: 2, maxLength: 1 },
      null,
    ],
    ['a value where null is allowed', { ...string, nullable: true }, 'string'],
  ])('%s', (_title, schema, value) => expectValue(schema, value));
});

describe('arrays', () => {
  const array = { type: 'array', items: integer };
  test.each<Row>([
    ['one item', array, [1]],
    ['minItems', { ...array, minItems: 3 }, [1, 2, 3]],
    ['maxItems', { ...array, maxItems: 0 }, []],
    ['uniqueItems', { ...array, minItems: 2, uniqueItems: true }, [1, 2]],
    ['items that may be the same', { ...array, items: { enum: ['a'] }, minItems: 2 }, ['a', 'a']],
    ['items that cannot be made', { ...array, items: { ...integer, minimum: 2, maximum: 1 } }, []],
    [
      'unique objects',
      {
        type: 'array',
        minItems: 2,
        uniqueItems: true,
        items: { type: 'object', properties: { a: { enum: [1] }, b: string } },
      },
      [{ a: 1, b: 'string' }, {}],
    ],
    ['an array without items', { type: 'array' }, ['string']],
    ['arrays in arrays', { type: 'array', items: array }, [[1]]],
  ])('%s', (_title, schema, value) => expectValue(schema, value));
});

describe('objects', () => {
  const object = { type: 'object', properties: { a: string, b: integer } };
  const secret = { ...string, writeOnly: true };
  test.each<Row>([
    ['all properties', object, { a: 'string', b: 1 }],
    ['maxProperties', { ...object, maxProperties: 1 }, { a: 'string' }],
    ['required ones before others', { ...object, required: ['b'], maxProperties: 1 }, { b: 1 }],
    ['required, not declared', { type: 'object', required: ['x'] }, { x: 'string' }],
    ['no property', { type: 'object' }, {}],
    ['a map', { type: 'object', additionalProperties: integer }, { property1: 1 }],
    [
      'minProperties of a map',
      { type: 'object', additionalProperties: integer, minProperties: 2 },
      { property1: 1, property2: 1 },
    ],
    ['minProperties', { ...object, minProperties: 3 }, { a: 'string', b: 1, property1: 'string' }],
    ['no others', { ...object, additionalProperties: false }, { a: 'string', b: 1 }],
    [
      'readOnly',
      { type: 'object', properties: { a: { ...string, readOnly: true } } },
      { a: 'string' },
    ],
    [
      'writeOnly',
      { type: 'object', required: ['s'], properties: { a: string, s: secret } },
      { a: 'string' },
    ],
    [
      'an optional property that cannot be made',
      { type: 'object', properties: { a: string, x: { ...string, minLength: 2, maxLength: 1 } } },
      { a: 'string' },
    ],
  ])('%s', (_title, schema, value) => expectValue(schema, value));

  test('names of prototypes are plain data', () => {
    const properties = Object.fromEntries([
      ['__proto__', string],
      ['constructor', integer],
    ]);
    const { value, faults } = checkedSample({ type: 'object', properties });
    expect([JSON.stringify(value), faults]).toEqual(['{"__proto__":"string","constructor":1}', []]);
  });
});

describe('compositions', () => {
  const cat = { type: 'object', required: ['meow'], properties: { meow: { type: 'boolean' } } };
  const dog = { type: 'object', required: ['bark'], properties: { bark: integer } };
  test.each<Row>([
    ['allOf', { allOf: [cat, dog] }, { meow: true, bark: 1 }],
    [
      'allOf that says more of a property',
      { allOf: [dog, { properties: { bark: { minimum: 5 } } }] },
      { bark: 5 },
    ],
    ['int64 by allOf', { allOf: [integer, { format: 'int64' }] }, 1n],
    ['oneOf', { oneOf: [cat, dog] }, { meow: true }],
    [
      'oneOf whose first branch cannot be made',
      { oneOf: [{ allOf: [string, integer] }, dog] },
      { bark: 1 },
    ],
    ['oneOf of overlapping ranges', { oneOf: [integer, number] }, 1.5],
    [
      'oneOf of ranges that share all small values',
      { ...integer, oneOf: [{ minimum: -90 }, { maximum: 90 }] },
      100,
    ],
    ['anyOf', { anyOf: [string, integer] }, 'string'],
    [
      'oneOf beside properties',
      { ...dog, oneOf: [{ required: ['x'] }, { required: ['y'] }] },
      { bark: 1, x: 'string' },
    ],
    ['oneOf and anyOf', { oneOf: [cat, string], anyOf: [dog, integer] }, { meow: true, bark: 1 }],
    ['not', { ...integer, not: { maximum: 3 } }, 4],
    ['not of a type', { not: string }, 1],
    [
      'not of a property',
      { type: 'object', properties: { a: string }, not: { required: ['a'] } },
      {},
    ],
    [
      'oneOf whose branches do not exclude each other',
      {
        oneOf: [
          { type: 'object', properties: { a: string } },
          { type: 'object', properties: { b: string } },
        ],
      },
      { a: 'string', b: 0 },
    ],
  ])('%s', (_title, schema, value) => expectValue(schema, value));
});

describe('discriminators', () => {
  const animal = {
    type: 'object',
    required: ['kind'],
    properties: { kind: string },
    discriminator: { propertyName: 'kind', mapping: { dog: '#/components/schemas/Dog' } },
  };
  const schemas = {
    Animal: animal,
    Dog: { allOf: [refTo('Animal'), { type: 'object', properties: { bark: integer } }] },
    Cat: { allOf: [refTo('Animal')] },
    Either: {
      oneOf: [refTo('Bird'), refTo('Fish')],
      discriminator: { propertyName: 'is', mapping: { feathered: 'Bird' } },
    },
    Bird: { type: 'object', required: ['is', 'wings'], properties: { is: string, wings: integer } },
    Fish: { type: 'object', required: ['is', 'fins'], properties: { is: string, fins: integer } },
  };
  test.each([
    ['D07 the mapping names the schema', 'Dog', { kind: 'dog', bark: 1 }],
    ['D07 the schema has no key', 'Cat', { kind: 'Cat' }],
    ['D07 of a union', 'Either', { is: 'feathered', wings: 1 }],
  ])('%s', (_title, name, value) => expectValue(refTo(name), value, schemas));
});

describe('recursion', () => {
  const schemas = {
    Optional: { type: 'object', properties: { name: string, next: refTo('Optional') } },
    List: {
      type: 'object',
      required: ['items'],
      properties: { items: { type: 'array', items: refTo('List') } },
    },
    Tree: { oneOf: [refTo('Branch'), string] },
    Branch: { type: 'object', required: ['left'], properties: { left: refTo('Tree') } },
    Endless: { type: 'object', required: ['next'], properties: { next: refTo('Endless') } },
    Nullable: {
      type: 'object',
      required: ['next'],
      properties: { next: { nullable: true, type: 'object', allOf: [refTo('Nullable')] } },
    },
  };
  test.each([
    ['D09 optional', 'Optional', { name: 'string' }],
    ['D09 through an array', 'List', { items: [] }],
    ['D09 through a union', 'Tree', { left: 'string' }],
  ])('%s', (_title, name, value) => expectValue(refTo(name), value, schemas));

  test('D09 without end', () => {
    expect(sample(refTo('Endless'), schemas)).toEqual({
      reason: 'the schema at /next/next requires itself without end',
    });
  });
});

describe('giving up', () => {
  const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, refTo('Wide')]));
  const crowd = Array.from({ length: 8 }, (_, at) => refTo(`Node${at}`));
  const nodes = Object.fromEntries(
    crowd.map((_, at) => [
      `Node${at}`,
      {
        type: 'object',
        required: ['all'],
        properties: { all: { type: 'array', minItems: 1, items: { oneOf: crowd } } },
      },
    ]),
  );
  test.each([
    [
      'limits that exclude each other',
      { ...integer, minimum: 2, maximum: 1 },
      /no integer was found at the top/,
    ],
    ['types that exclude each other', { allOf: [string, integer] }, /no string/],
    ['a pattern that nothing matches', { ...string, pattern: '^a(?!a)a$' }, /the pattern \^a/],
    [
      'a required part',
      { type: 'object', required: ['x'], properties: { x: { enum: [1], type: 'string' } } },
      /at \/x/,
    ],
    [
      'a required part beside an optional one',
      {
        type: 'object',
        required: ['y'],
        properties: {
          x: { ...string, maxLength: 0, minLength: 1 },
          y: { type: 'string', pattern: '^(?!)$' },
        },
      },
      /at \/y/,
    ],
    [
      'properties that are required and forbidden',
      { allOf: [{ type: 'object', additionalProperties: false }, { required: ['x'] }] },
      /what was made for it must have the property "x", at \/x/,
    ],
    ['a length beyond reason', { ...string, minLength: 1e9 }, /no string/],
    ['items beyond reason', { type: 'array', minItems: 1e9 }, /no array/],
    ['alternatives that are the same', { oneOf: [string, string] }, /no any/],
    ['nodes that need nodes', refTo('Node0'), /Node|entangled|without end|found/],
  ])('%s', (_title, schema, reason) => {
    const made = sample(schema, { ...nodes, Wide: { type: 'object', properties: wide } });
    expect('reason' in made ? made.reason : made).toEqual(expect.stringMatching(reason));
  });

  test('what is wide is cut, and still fits', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `Part${at}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 30 }, (_unused, part) => [`p${part}`, refTo(`Part${part}`)]),
          ),
        },
      ]),
    );
    const { value, faults } = checkedSample(refTo('Part0'), schemas);
    expect(faults).toEqual([]);
    expect(JSON.stringify(value).length).toBeLessThan(20_000);
  });
});

test('the same value every time', () => {
  const schema = {
    type: 'object',
    properties: { a: { ...string, pattern: '^\\w{5}$' }, b: number },
  };
  expect(sample(schema)).toEqual(sample(schema));
});
