import { expect, test } from '@jest/globals';
import { createAjv } from '../../../../src/schema/validation/ajv-instance';

type Schemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const compilerOf = (schemas: Schemas, thorough: boolean) =>
  createAjv(
    thorough,
    (id) => schemas[id] ?? {},
    () => undefined,
  );

test('D09 a schema is compiled when a value first reaches it', () => {
  const list = { items: { refersTo: 'item' } };
  const validate = compilerOf({ list, item: { minItems: 'none' } }, false)('list');
  expect(validate([])).toBe(true);
  expect(() => validate([1])).toThrow('minItems');
});

test('D09 what a reference leads to tells its errors by their place', () => {
  const node = { required: ['v'], properties: { next: { refersTo: 'node' } } };
  const validate = compilerOf({ node }, true)('node');
  expect(validate({ next: { next: {} } })).toBe(false);
  const places = validate.errors?.map(({ instancePath }) => instancePath);
  expect(places).toEqual(['', '/next', '/next/next']);
});
