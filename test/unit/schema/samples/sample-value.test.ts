/** Values made from schemas: each keyword is heeded, the document's own values come first, and nothing goes on for ever. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import { type Dialect, jsonSchema202012 } from '../../../../src/document/versions/schema-keywords';
import { casesOf, readValue, rowsOf, tableOf } from '../../../support/text-cases';
import { checkedSample, refTo, sample } from './sampler';

const string = { type: 'string' };
const integer = { type: 'integer' };
const int64 = { type: 'integer', format: 'int64' };
const number = { type: 'number' };

const expectValue = (schema: unknown, value: unknown, ...more: [object?, Dialect?]): void => {
  expect(checkedSample(schema, ...more)).toEqual({ value, faults: [] });
};

/** The schemas that `*name` stands for. */
const schemas: Readonly<Record<string, object>> = {
  string,
  integer,
  int64,
  number,
  boolean: { type: 'boolean' },
  meowing: { type: 'object', required: ['meow'], properties: { meow: { type: 'boolean' } } },
  barking: { type: 'object', required: ['bark'], properties: { bark: integer } },
};

const readSchema = (text: string): unknown =>
  parse(text.replaceAll(/\*(\w+)/g, (_, name: string) => JSON.stringify(schemas[name])));

describe.each(casesOf(join(__dirname, 'samples.cases.txt')))('%s', (_title, lines) => {
  test.each(rowsOf(lines))('%s', (_name, schema = '', value = '') =>
    expectValue(readSchema(schema), readValue(value)),
  );
});

describe.each(casesOf(join(__dirname, 'samples-2020-12.cases.txt')))('%s', (_title, lines) => {
  test.each(rowsOf(lines))('%s', (_name, schema = '', value = '') =>
    expectValue(readSchema(schema), readValue(value), { Text: string }, jsonSchema202012),
  );
});

const ajv = new Ajv2020({ strict: false, validateFormats: false, multipleOfPrecision: 9 });

test.each(readFileSync(join(__dirname, 'findable.jsonl'), 'utf8').trim().split('\n'))(
  'a value is found where one exists: %s',
  (line) => {
    const schema = JSON.parse(line);
    const { value, faults } = checkedSample(schema, {}, jsonSchema202012);
    expect([faults, ajv.validate(schema, value)]).toEqual([[], true]);
    expect(checkedSample(schema, {}, jsonSchema202012).value).toEqual(value);
  },
);

test('the reason names a value where no type is declared', () => {
  expect(sample({ not: {} })).toEqual({
    reason: 'no value was found at the top that fits its keywords together',
  });
});

test.each([
  ['binary', { ...string, format: 'binary' }, Uint8Array.from([97, 98, 99, 100])],
  ['binary of a length', { ...string, format: 'binary', maxLength: 2 }, Uint8Array.of(97, 98)],
  ['limits beyond 2^53', { ...int64, minimum: 9007199254740993n }, 9007199254740993n],
  ['the last int64', { ...int64, minimum: 2n ** 63n - 1n }, 2n ** 63n - 1n],
])('%s', (_title, schema, value) => expectValue(schema, value));

test('names of prototypes are plain data', () => {
  const properties = Object.fromEntries([
    ['__proto__', string],
    ['constructor', integer],
  ]);
  const { value, faults } = checkedSample({ type: 'object', properties });
  expect([JSON.stringify(value), faults]).toEqual(['{"__proto__":"string","constructor":1}', []]);
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
  test.each(tableOf(join(__dirname, 'giving-up.cases.txt'), 'giving up'))(
    '%s',
    (_title, schema = '', reason = '') => {
      const made = sample(readSchema(schema), {
        ...nodes,
        Wide: { type: 'object', properties: wide },
      });
      expect('reason' in made ? made.reason : made).toEqual(
        expect.stringMatching(new RegExp(reason)),
      );
    },
  );

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
