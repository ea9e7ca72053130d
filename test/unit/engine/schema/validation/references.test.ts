import { describe, expect, test } from '@jest/globals';
import type { Schema } from '../../../../../src/engine/schema/shape';
import { compileValidators } from '../../../../../src/engine/schema/validation/compile-validators';
import { refTo, validatorsOf } from './validators-of';

const components = {
  Node: {
    type: 'object',
    required: ['value'],
    properties: {
      value: { type: 'integer' },
      next: refTo('Node'),
      children: { type: 'array', items: refTo('Node') },
      named: { additionalProperties: refTo('Node') },
    },
  },
  Ping: { properties: { pong: refTo('Pong') } },
  Pong: { properties: { ping: refTo('Ping'), hits: { type: 'integer' } } },
  Self: { type: 'object', required: ['a'], allOf: [refTo('Self'), refTo('AlsoSelf')] },
  AlsoSelf: { required: ['b'], allOf: [refTo('Self')] },
  Pet: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    oneOf: [refTo('Cat'), refTo('Dog')],
    discriminator: { propertyName: 'kind' },
  },
  Cat: { allOf: [refTo('Pet'), { required: ['lives'] }] },
  Dog: { allOf: [refTo('Pet'), { required: ['bark'] }] },
  Loop: refTo('Loop2'),
  Loop2: refTo('Loop'),
  Liar: { not: refTo('Liar') },
  Dangling: { properties: { category: refTo('Missing') } },
  ToDangling: { items: refTo('Dangling') },
  'a b/c~d%': { type: 'integer' },
  Quoted: { properties: { x: refTo('a b/c~d%') } },
} as unknown as Record<string, Schema>;

const pathsOf = (component: string, value: unknown): string[] =>
  validatorsOf(components)
    .validatorOf(
      refTo(component),
      'request',
    )(value)
    .map(({ path }) => path);

describe('D09 cycles', () => {
  test.each<[string, string, unknown, readonly string[]]>([
    [
      'a list of itself',
      'Node',
      { value: 1, children: [{ value: 2 }, { value: 'x' }] },
      ['/children/1/value'],
    ],
    [
      'itself as property and map',
      'Node',
      { value: 1, next: { value: 1, named: { a: {} } } },
      ['/next/named/a/value'],
    ],
    [
      'two that hold each other',
      'Ping',
      { pong: { ping: { pong: { hits: 'x' } } } },
      ['/pong/ping/pong/hits'],
    ],
    ['one that is a member of itself', 'Self', {}, ['/b', '/a']],
    ['one that is a member of itself, from the other side', 'AlsoSelf', {}, ['/a', '/b']],
    ['a union whose branches extend it, from above', 'Pet', { kind: 'cat', lives: 9 }, []],
    ['a union whose branches extend it, no branch', 'Pet', { kind: 'cat' }, ['']],
    ['a union whose branches extend it, from below', 'Cat', { kind: 'cat', lives: 9 }, []],
    ['a union whose branches extend it, from below, fault', 'Cat', { lives: 9 }, ['/kind']],
    ['names that are no URIs', 'Quoted', { x: 'x' }, ['/x']],
  ])('D09 %s', (_title, component, value, want) => {
    expect(pathsOf(component, value)).toEqual(want);
  });

  test('D09 cycles of objects instead of references', () => {
    const list: Record<string, unknown> = { type: 'object', properties: { v: { type: 'string' } } };
    list['properties'] = { v: { type: 'string' }, next: list, also: { allOf: [list] } };
    const validate = validatorsOf().validatorOf(list as Schema, 'storage');
    expect(validate({ next: { next: { v: 5 } } }).map(({ path }) => path)).toEqual([
      '/next/next/v',
    ]);
  });
});

describe('D10 what cannot be followed', () => {
  test.each([
    [
      'a dangling reference',
      'Missing',
      {},
      'The reference #/components/schemas/Missing cannot be resolved: the document has nothing there',
    ],
    [
      'a dangling reference further on',
      'ToDangling',
      [{ category: {} }],
      'The reference #/components/schemas/Missing cannot be resolved: the document has nothing there',
    ],
    [
      'references in a ring',
      'Loop',
      {},
      'The reference #/components/schemas/Loop cannot be resolved: it leads in a circle',
    ],
    ['a schema that excludes itself', 'Liar', {}, 'A schema must not exclude itself by "not".'],
  ])('D10 %s throws when it is needed, each time alike', (_title, component, value, message) => {
    const { validatorOf, accepts } = validatorsOf(components);
    const validate = validatorOf(refTo(component), 'request');
    expect(() => validate(value)).toThrow(message);
    expect(() => validate(value)).toThrow(message);
    expect(() => accepts(refTo(component))(value)).toThrow(message);
    expect(validatorOf(refTo('Node'), 'request')({ value: 1 })).toEqual([]);
  });
});

describe('D08 siblings', () => {
  test('D08 siblings of $ref are ignored', () => {
    const schema = { ...refTo('Pong'), required: ['x'], type: 'string' };
    expect(validatorsOf(components).validatorOf(schema as Schema, 'storage')({})).toEqual([]);
  });
});

describe('what is remembered', () => {
  test('the same schema gives the same validator, and each reference is followed once', () => {
    const followed: string[] = [];
    const { validatorOf } = compileValidators({
      resolve(ref) {
        followed.push(ref);
        return { schema: { type: 'integer' }, component: undefined };
      },
    });
    const schema: Schema = { type: 'array', items: { $ref: '#/a' } };
    const validate = validatorOf(schema, 'request');
    expect(followed).toEqual([]);
    expect(validate([1])).toEqual([]);
    const atFirst = followed.length;
    for (let i = 0; i < 10; i += 1) expect(validate([i])).toEqual([]);
    expect(validatorOf(schema, 'request')).toBe(validate);
    expect(validatorOf(schema, 'response')).not.toBe(validate);
    expect(followed).toHaveLength(atFirst);
  });
});

test('D09 unions of components that refer to one another are not written out again and again', () => {
  const names = Array.from({ length: 16 }, (_, index) => `Part${index}`);
  const either = { anyOf: [{ type: 'string' as const }, ...names.map(refTo)] };
  const parts = names.map((name): [string, Schema] => [
    name,
    {
      type: 'object',
      required: [name],
      properties: { [name]: either, list: { type: 'array', items: either } },
    },
  ]);
  const validate = validatorsOf(Object.fromEntries(parts)).validatorOf(refTo('Part0'), 'response');
  expect(validate({ Part0: { Part7: 'x' }, list: [{ Part3: { Part4: 'y' } }] })).toEqual([]);
  expect(validate({ Part0: { Part7: 1 } }).map(({ path }) => path)).toEqual(['/Part0']);
});
