import { describe, expect, test } from '@jest/globals';
import { jsonSchema202012 } from '../../../src/document/versions/schema-keywords';
import { jsonWriter } from '../../../src/engine/media-types/json/json';
import { schemaContext } from '../../../src/engine/media-types/schema-context';
import { anySchema, type Schema, schemaOf } from '../../../src/model/schema';
import { compileCoercion } from '../../../src/schema/coercion';
import { compileShapes } from '../../../src/schema/compile-shapes';
import type { Shape } from '../../../src/schema/shape';
import { schemasOf } from '../../support/schemas';
import { shapeOf, shapesOf } from '../engine/media-types/shapes';

const string = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('the same schema has the same shape, however it is reached', () => {
  const Pet = { type: 'object', properties: { id: { type: 'string' } } };
  const shape = shapesOf({ Pet, Alias: ref('Pet') });
  const byReference = shape(ref('Pet'));
  expect(shape(ref('Pet'))).toBe(byReference);
  expect(shape(ref('Alias'))).toBe(byReference);
  expect(byReference.component).toBe('Pet');
  expect(shape(Pet)).toBe(shape(Pet));
});

describe('D09 cycles', () => {
  test('of properties', () => {
    const shape = shapeOf(ref('Node'), {
      Node: {
        type: 'object',
        properties: { next: ref('Node'), all: { type: 'array', items: ref('Node') } },
      },
    });
    expect(shape.properties.get('next')).toBe(shape);
    expect(shape.properties.get('all')?.items).toBe(shape);
  });

  test('of allOf', () => {
    const components = {
      A: { allOf: [ref('B')], properties: { a: string, self: ref('A') } },
      B: { allOf: [ref('A')], properties: { b: string, self: ref('B') } },
    };
    const shape = shapeOf(ref('A'), components);
    expect([...shape.properties.keys()]).toStrictEqual(['a', 'self', 'b']);
    const self = shape.properties.get('self');
    expect(self?.properties.get('self')?.properties.get('self')).toBe(self?.properties.get('self'));
  });

  test('of unions', () => {
    const components = { A: { oneOf: [ref('B'), string] }, B: { anyOf: [ref('A'), int64] } };
    const types = shapeOf(ref('A'), components).alternatives.map(({ shape }) => shape.type);
    expect(types).toStrictEqual(['any', 'string']);
  });

  test('of references alone', () => {
    const components = { A: ref('B'), B: ref('A') };
    expect(() => shapeOf(ref('A'), components)).toThrow('it leads in a circle');
  });
});

test('D09 one of several types is chosen with what allOf evaluates for it', () => {
  const schema = schemasOf(
    {},
    jsonSchema202012,
  )({
    type: ['object', 'string'],
    allOf: [{ properties: { id: int64 } }],
    unevaluatedProperties: false,
  });
  const shape = schemaContext().shapeOf(schema);
  expect(shape.alternatives.map(({ accepts }) => accepts({ id: 1n }))).toStrictEqual([false, true]);
});

test('D09 unions that hold together make no more shapes than can be made soon', () => {
  const union = (count: number) => ({
    oneOf: Array.from({ length: count }, (_, index) => ({ type: 'string', maxLength: index })),
  });
  const countShapes = (shape: Shape): number =>
    shape.alternatives.reduce((sum, { shape: inner }) => sum + countShapes(inner), 1);
  expect(countShapes(shapeOf(union(3_000)))).toBe(3_001);
  expect(countShapes(shapeOf({ allOf: [union(40), union(40)] }))).toBe(1 + 40 + 40 * 40);
  const four = { allOf: Array.from({ length: 4 }, () => union(40)) };
  expect(countShapes(shapeOf(four))).toBe(1 + 40 + 40 * 40);
});

test('D10 a reference that cannot be resolved spoils its own schema alone', () => {
  const shapes = shapesOf({ Pet: { type: 'object', properties: { category: ref('Missing') } } });
  const pet = shapes(ref('Pet'));
  expect(pet.type).toBe('object');
  expect(() => pet.properties).toThrow('#/components/schemas/Missing cannot be resolved');
  expect(shapes({ type: 'string' }).type).toBe('string');
});

describe('D04 a default that does not fit counts as none', () => {
  test.each([
    [{ ...int64, default: 5 }, 5],
    [{ ...int64, default: '5' }, undefined],
    [{ ...string, default: null }, undefined],
    [{ ...string, nullable: true, default: null }, null],
    [{ ...string, enum: ['a'], default: 'b' }, undefined],
    [{ allOf: [string], default: 1 }, undefined],
    [{ type: 'object', properties: { id: int64 }, default: { id: 1 } }, { id: 1 }],
    [{ type: 'object', properties: { id: int64 }, default: { id: 'x' } }, undefined],
  ])('%j: %j', (schema, value) => {
    expect(shapeOf(schema).defaultValue).toStrictEqual(value);
  });
});

describe('allOf', () => {
  test('merges what its members say', () => {
    const shape = shapeOf({
      allOf: [
        { type: 'object', properties: { a: int64 }, additionalProperties: int64 },
        { properties: { b: { ...string, readOnly: true } } },
      ],
      properties: { c: string },
      default: {},
      xml: { name: 'outer' },
    });
    expect(shape).toMatchObject({ type: 'object', defaultValue: {}, xml: { name: 'outer' } });
    expect([...shape.properties.keys()]).toStrictEqual(['c', 'a', 'b']);
    expect(shape.additional).toMatchObject({ type: 'integer' });
  });

  test('merges properties that several members declare', () => {
    const shape = shapeOf({
      allOf: [
        { properties: { id: { description: 'the key' } } },
        { properties: { id: { ...int64, readOnly: true, xml: { attribute: true } } } },
      ],
    });
    expect(shape.properties.get('id')).toMatchObject({
      type: 'integer',
      format: 'int64',
      readOnly: true,
      xml: { nodeType: 'attribute' },
    });
  });

  test.each([
    [[{}, { additionalProperties: false }], false],
    [[{}, { additionalProperties: true }], true],
    [[{}, {}], true],
  ])('additional properties of %j: %s', (allOf, additional) => {
    expect(shapeOf({ type: 'object', allOf }).additional).toBe(additional);
  });
});

test.each([
  [{ properties: {} }, 'object'],
  [{ additionalProperties: false }, 'any'],
  [{ additionalProperties: {} }, 'object'],
  [{ items: {} }, 'array'],
  [{ enum: ['a'] }, 'any'],
  [{ enum: [0, 1, 2] }, 'integer'],
  [{ enum: [0, 0.5] }, 'number'],
  [{ enum: [true] }, 'boolean'],
  [{ enum: [1, null] }, 'any'],
  [{ enum: [] }, 'any'],
])('the type of %j is %s', (schema, type) => {
  expect(shapeOf(schema).type).toBe(type);
});

test('unions multiply up to a bound', () => {
  const union = () => ({ oneOf: [{ properties: { a: string } }, { properties: { b: string } }] });
  let shape = shapeOf({ allOf: [union(), union(), union(), union(), union(), union()] });
  let choices = 0;
  while (shape.alternatives[0]) {
    shape = shape.alternatives[0].shape;
    choices += 1;
  }
  expect(choices).toBe(4);
});

/** A schema that leads to the next one, and so on; the shapes that have been asked for. */
const chain = (length: number) => {
  const asked = new Set<number>();
  const id = schemaOf({ types: ['integer'], format: 'int64' });
  const link = (index: number): Schema => ({
    ...anySchema,
    types: ['object'],
    get properties() {
      asked.add(index);
      return index < length
        ? new Map([
            ['id', id],
            ['next', link(index + 1)],
          ])
        : undefined;
    },
  });
  return { shape: compileShapes(() => () => true)(link(0)), asked };
};

const nested = (depth: number, id: unknown): object =>
  depth === 0 ? { id } : { id, next: nested(depth - 1, id) };

test('D09 schemas that lead to very many others are compiled as far as values go', () => {
  const { shape, asked } = chain(100_000);
  const coerce = compileCoercion(shape, 'request');
  const write = jsonWriter(shape, 'response');
  expect(asked.size).toBeLessThan(50);
  expect(coerce(nested(100, 1))).toEqual(nested(100, 1n));
  expect(write(nested(100, 1n))).toBe(JSON.stringify(nested(100, 1)));
  expect(asked.size).toBeLessThan(200);
});
