import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseJsonStrictly } from '../../../../../src/base/json/json-parser';
import { readerOf } from '../../../../../src/engine/media-types/codec/codec';
import {
  findPages,
  jsonCodec,
  jsonWriter,
  parseJson,
  SerializedJson,
  storedJson,
} from '../../../../../src/engine/media-types/json/json';
import { schemaContext } from '../../../../../src/engine/media-types/schema-context';
import { schemasOf } from '../../../../support/schemas';
import { readText, readValue, tableOf, valuesOf } from '../../../../support/text-cases';
import { readSchema } from '../../../schema/validation/validators-of';
import { shapeOf } from '../shapes';

const cases = join(__dirname, 'json.cases.txt');

const read = (schema: object, text: string) =>
  readerOf(jsonCodec, shapeOf(schema), 'request')(text);
const write = (schema: object, value: unknown) =>
  jsonCodec.writer(shapeOf(schema), 'response')(value);

/** Reads a text by a schema that is text, too. */
const expectRead = (schema: string, text: string, value: string): void => {
  expect(read(readSchema(schema), readText(text))).toStrictEqual(readValue(value));
};

const int64 = { type: 'integer', format: 'int64' };

describe('R11 integers are read and written exactly', () => {
  test.each(tableOf(cases, 'R11 integers are read exactly'))(
    '%s',
    (_title, schema = '', text = '', value = '') => expectRead(schema, text, value),
  );

  test.each([
    ['int64', int64, 9223372036854775807n, '9223372036854775807'],
    [
      'nested',
      { type: 'object', properties: { id: int64 } },
      { id: 1n, more: [2n] },
      '{"id":1,"more":[2]}',
    ],
    ['undefined is left out', { type: 'object' }, { a: undefined, b: null }, '{"b":null}'],
    ['half of a surrogate pair is escaped', { type: 'string' }, 'a\ud800', '"a\\ud800"'],
    ['quotes, controls', {}, ['"\\', '\n\u0000', 'é😀'], '["\\"\\\\","\\n\\u0000","é😀"]'],
    ['__proto__ is data', {}, JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    ['no finite number', { type: 'number' }, Number.NaN, 'null'],
  ])('writes %s', (_title, schema, value, text) => {
    expect(write(schema, value)).toBe(text);
  });
});

describe('R10 readOnly, writeOnly and default', () => {
  const schema = {
    type: 'object',
    properties: {
      id: { ...int64, readOnly: true, default: 9 },
      secret: { type: 'string', writeOnly: true },
      size: { ...int64, default: 3 },
      tags: { type: 'array', items: { type: 'string' }, default: [] },
      inner: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
      constructor: { type: 'string', default: 'own' },
    },
  };
  const shape = shapeOf(schema);

  test('a request loses what is readOnly and gains defaults', () => {
    expect(readerOf(jsonCodec, shape, 'request')('{"id":1,"secret":"s","inner":{}}')).toStrictEqual(
      {
        secret: 's',
        size: 3n,
        tags: [],
        inner: { on: true },
        constructor: 'own',
      },
    );
  });

  test('each value has defaults of its own', () => {
    const reader = readerOf(jsonCodec, shape, 'request');
    const [one, other] = [reader('{}'), reader('{}')];
    expect(Reflect.get(Object(one), 'tags')).not.toBe(Reflect.get(Object(other), 'tags'));
  });

  test('a whole value is left alone', () => {
    expect(readerOf(jsonCodec, shape, 'storage')('{"id":1}')).toStrictEqual({ id: 1n });
    expect(jsonCodec.writer(shape, 'storage')({ secret: 's' })).toBe('{"secret":"s"}');
  });
});

describe('unions', () => {
  const cat = { type: 'object', required: ['claws'], properties: { claws: int64 } };
  const dog = { type: 'object', required: ['bark'], properties: { bark: int64 } };

  test.each(tableOf(cases, 'unions'))('%s', (_title, schema = '', text = '', value = '') =>
    expectRead(schema, text, value),
  );

  test('writeOnly counts by branch', () => {
    const schema = {
      oneOf: [
        { ...cat, properties: { claws: int64, note: { type: 'string', writeOnly: true } } },
        { ...dog, properties: { bark: int64, note: { type: 'string' } } },
      ],
    };
    expect(write(schema, { claws: 1n, note: 'x' })).toBe('{"claws":1}');
    expect(write(schema, { bark: 1n, note: 'x' })).toBe('{"bark":1,"note":"x"}');
  });

  test('nested tries do not multiply', () => {
    let asked = 0;
    const nodeOf = (kind: string) => ({
      type: 'object',
      properties: { inner: { $ref: '#/components/schemas/Node' }, kind: { enum: [kind] } },
    });
    const components = { Node: { oneOf: [nodeOf('a'), nodeOf('b')] } };
    const shape = shapeOf({ $ref: '#/components/schemas/Node' }, components, () => {
      asked += 1;
      return false;
    });
    const depth = 60;
    readerOf(jsonCodec, shape, 'request')(`${'{"inner":'.repeat(depth)}{}${'}'.repeat(depth)}`);
    expect(asked).toBeLessThanOrEqual(2 * (depth + 1));
  });
});

describe('parsing', () => {
  test.each(tableOf(cases, 'parsing'))(
    '%s is refused',
    (_title, text = '', message = '', path = '') => {
      for (const parse of [parseJson, parseJsonStrictly]) {
        expect(() => parse(readText(text))).toThrow(
          expect.objectContaining({
            name: 'MalformedText',
            message: expect.stringContaining(readText(message)),
            path: readText(path),
          }),
        );
      }
    },
  );

  test.each([
    '{"a":{"b":[1,-0.5e-3,true,false,null,"x\\n\\u00e9\\ud83d\\ude00"]},"":""}',
    ' \t\r\n[ ] ',
    '{"a\\"":":\\":","__proto__":{"a":1},"constructor":2}',
    '"1234567890123456789"',
    '0',
  ])('%s is what JSON.parse makes of it', (text) => {
    for (const parse of [parseJson, parseJsonStrictly]) {
      expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  test.each([
    ['depth', `${'['.repeat(101)}${']'.repeat(101)}`, 'nested too deeply'],
    ['depth far beyond', '['.repeat(1_000_000), 'nested too deeply'],
    ['depth of objects', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, 'nested too deeply'],
    ['values', `[${'0,'.repeat(100_000)}0]`, 'too many values'],
  ])('%s is bounded', (_title, text, message) => {
    expect(() => parseJson(text)).toThrow(message);
  });

  test('the bounds themselves are allowed', () => {
    expect(parseJson(`${'['.repeat(100)}${']'.repeat(100)}`)).toHaveLength(1);
    expect(parseJson(`[${'0,'.repeat(99_998)}0]`)).toHaveLength(99_999);
  });
});

describe('a writer of declared properties', () => {
  test.each(
    valuesOf<[title: string, schema: object, text: string]>(
      cases,
      'a writer of declared properties',
    ),
  )('%s', (_title, schema, text) => {
    expect(jsonWriter(shapeOf(schema), 'storage', 'dropped')({ a: 1n, b: 2n })).toBe(text);
  });
});

test.each<[string, unknown, string]>([
  [
    'texts and numbers',
    { a: ['"', 'é\ud800', -0.5, null, true] },
    '{"a":["\\"","é\\ud800",-0.5,null,true]}',
  ],
  ['nothing', { a: undefined, b: [undefined, {}] }, '{"b":[null,{}]}'],
  [
    'an int64 deep inside',
    { a: [{ b: 2n ** 63n - 1n, c: 'x' }] },
    '{"a":[{"b":9223372036854775807,"c":"x"}]}',
  ],
  ['bytes deep inside', [{ a: Buffer.from('Rex') }], '[{"a":"Rex"}]'],
  ['a property called __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
])('what nothing is declared of is written as JSON: %s', (_, value, text) => {
  const write = jsonCodec.writer(shapeOf({ type: 'object', properties: { id: {} } }), 'response');
  expect(write({ undeclared: value })).toBe(`{"undeclared":${text}}`);
});

const int64Shape = shapeOf(int64);

test('a kept value gives its text, and the value as often as it is asked', () => {
  const asked: string[] = [];
  const value = new SerializedJson(int64Shape, '7', (text) => {
    asked.push(text);
    return BigInt(text);
  });
  expect(value).toMatchObject({ shape: int64Shape, text: '7' });
  expect(asked).toStrictEqual([]);
  expect([value.read(), value.read()]).toStrictEqual([7n, 7n]);
  expect(value).toBeInstanceOf(SerializedJson);
});

describe('nothing that a request says is kept, or a listing', () => {
  const text = '{"shape":{},"text":"x","mark":true,"parse":1,"read":1,"__proto__":{"read":1}}';
  test.each([
    ['an object with the same members', { shape: int64Shape, text: '7', read: () => 7n }],
    ['JSON with the names of the members', readerOf(jsonCodec, shapeOf({}), 'request')(text)],
    ['a list', [new SerializedJson(int64Shape, '7', BigInt)]],
    ['bytes', new Uint8Array(1)],
    ['a text', '7'],
    ['null', null],
    ['nothing', undefined],
  ])('%s', (_title, value) => {
    expect([value instanceof SerializedJson, findPages(value)]).toStrictEqual([false, undefined]);
  });
});

test('what was stored with more digits than a number has is read, indexed and answered', () => {
  const { shapeOf: shapesBy, validators } = schemaContext();
  const schema = schemasOf({})({
    type: 'object',
    properties: {
      n: { type: 'number' },
      i: { type: 'integer' },
      d: { type: 'number', format: 'decimal' },
    },
  });
  const { read, readExact, readFilled, write } = storedJson<object>(shapesBy(schema));
  const text = '{"n":0.1234567890123456789,"i":9007199254740993,"d":12.50}';
  expect(read(text)).toEqual({ n: 0.12345678901234568, i: 9007199254740993n, d: '12.50' });
  expect(write(readFilled(text))).toBe('{"n":0.12345678901234568,"i":9007199254740993,"d":12.50}');
  expect(validators.validatorOf(schema, 'response')(readExact(text))).toEqual([]);
  expect(validators.validatorOf(schema, 'request')(readExact(text))).not.toEqual([]);
});
