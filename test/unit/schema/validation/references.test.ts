import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { compileValidators } from '../../../../src/schema/validation/compile-validators';
import { schemasOf } from '../../../support/schemas';
import { tableOf, valuesOf } from '../../../support/text-cases';
import { refTo, validatorsOf } from './validators-of';

const cases = join(__dirname, 'references.cases.txt');

const components = parse(readFileSync(join(__dirname, 'references.yaml'), 'utf8'));

const pathsOf = (component: string, value: unknown): string[] =>
  validatorsOf(components)
    .validatorOf(
      refTo(component),
      'request',
    )(value)
    .map(({ path }) => path);

describe('D09 cycles', () => {
  test.each(tableOf(cases, 'D09 cycles'))(
    'D09 %s',
    (_title, component = '', value = '', want = '') => {
      expect(pathsOf(component, JSON.parse(value))).toEqual(JSON.parse(want));
    },
  );

  test('D09 cycles of objects instead of references', () => {
    const list: Record<string, unknown> = { type: 'object', properties: { v: { type: 'string' } } };
    list['properties'] = { v: { type: 'string' }, next: list, also: { allOf: [list] } };
    const validate = validatorsOf().validatorOf(list, 'storage');
    expect(validate({ next: { next: { v: 5 } } }).map(({ path }) => path)).toEqual([
      '/next/next/v',
    ]);
  });
});

describe('D10 what cannot be followed', () => {
  test.each(tableOf(cases, 'D10 what cannot be followed'))(
    'D10 %s throws when it is needed, each time alike',
    (_title, component = '', text = '', message = '') => {
      const value: unknown = JSON.parse(text);
      const { validatorOf, accepts } = validatorsOf(components);
      const validate = validatorOf(refTo(component), 'request');
      expect(() => validate(value)).toThrow(message);
      expect(() => validate(value)).toThrow(message);
      expect(() => accepts(refTo(component))(value)).toThrow(message);
      expect(validatorOf(refTo('Node'), 'request')({ value: 1 })).toEqual([]);
    },
  );
});

describe('D08 siblings', () => {
  test('D08 siblings of $ref are ignored', () => {
    const schema = { ...refTo('Pong'), required: ['x'], type: 'string' };
    expect(validatorsOf(components).validatorOf(schema, 'storage')({})).toEqual([]);
  });
});

describe('what is remembered', () => {
  test('the same schema gives the same validator for a direction', () => {
    const { validatorOf } = compileValidators();
    const schema = schemasOf()({ type: 'array', items: { type: 'integer' } });
    const validate = validatorOf(schema, 'request');
    for (let i = 0; i < 10; i += 1) expect(validate([i])).toEqual([]);
    expect(validatorOf(schema, 'request')).toBe(validate);
    expect(validatorOf(schema, 'response')).not.toBe(validate);
  });
});

test('D09 unions of components that refer to one another are not written out again and again', () => {
  const names = Array.from({ length: 16 }, (_, index) => `Part${index}`);
  const either = { anyOf: [{ type: 'string' as const }, ...names.map(refTo)] };
  const parts = names.map((name): [string, object] => [
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

describe('D08 a union of many kinds that share what they are composed of', () => {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const id = { type: 'integer', readOnly: true };
  const traits = numbers(8).map((trait): [string, object] => [
    `Trait${trait}`,
    {
      allOf: numbers(8).map((part) => ({
        type: 'object',
        properties: { [`p${trait}${part}`]: { type: 'string' } },
        ...(part === 0 ? { required: ['id'] } : {}),
      })),
    },
  ]);
  const kinds = numbers(28).map((kind): [string, object] => [
    `Kind${kind}`,
    {
      type: 'object',
      required: ['type'],
      properties: {
        type: { enum: [`k${kind}`] },
        ...(kind % 2 === 0 ? { id } : {}),
        parts: { type: 'array', items: refTo('Any') },
      },
      allOf: traits.map(([name]) => refTo(name)),
    },
  ]);
  const schemas = {
    Any: { oneOf: kinds.map(([name]) => refTo(name)) },
    ...Object.fromEntries([...kinds, ...traits]),
  };
  const { validatorOf } = validatorsOf(schemas);

  test.each(
    valuesOf<['request' | 'response', object, Record<string, string>]>(
      cases,
      'a union of many kinds',
    ),
  )('D08 %s %j', (direction, value, want) => {
    const faults = validatorOf(refTo('Any'), direction)(value);
    expect(Object.fromEntries(faults.map(({ path, message }) => [path, message]))).toEqual(want);
  });
});
