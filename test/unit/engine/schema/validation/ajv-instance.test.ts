import { expect, test } from '@jest/globals';
import { makeFuel } from '../../../../../src/engine/schema/validation/fuel';
import { createAjv } from '../../../../../src/engine/schema/validation/keywords';

test('D09 a schema is compiled when a value first reaches it', () => {
  const compile = createAjv(makeFuel(), false);
  const list = { id: 'list', jsonSchema: { items: { refersTo: 'item' } } };
  const item = { id: 'item', jsonSchema: { minItems: 'none' } };
  const validate = compile(list, [item]);
  expect(validate([])).toBe(true);
  expect(() => validate([1])).toThrow('minItems');
});

test('D09 what a reference leads to tells its errors by their place', () => {
  const compile = createAjv(makeFuel(), true);
  const node = {
    id: 'node',
    jsonSchema: { required: ['v'], properties: { next: { refersTo: 'node' } } },
  };
  const validate = compile(node, []);
  expect(validate({ next: { next: {} } })).toBe(false);
  const places = validate.errors?.map(({ instancePath }) => instancePath);
  expect(places).toEqual(['', '/next', '/next/next']);
});
