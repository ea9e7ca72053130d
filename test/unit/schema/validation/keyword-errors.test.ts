/** Schemas at fault throw when they are needed; what the loader says of them is in test/conformance/reports. */

import { expect, test } from '@jest/globals';
import { validatorsOf } from './validators-of';

test.each<[string, object, string]>([
  ['D02 an unknown type', { type: 'null' }, 'The type "null" must be one of string, integer, '],
  ['required as text', { required: 'name' }, 'The keyword "required" must be a list of names.'],
  ['items as text', { items: 'string' }, 'A schema must be an object.'],
  ['items as a list', { items: [{}] }, 'A schema must be an object.'],
  ['an empty union', { oneOf: [] }, 'The keyword "oneOf" must be a list that is not empty.'],
  ['a count as text', { maxItems: '5' }, 'The keyword "maxItems" must be a number.'],
])('%s throws when it is needed', (_title, schema, want) => {
  expect(() => validatorsOf().validatorOf(schema, 'storage')([1])).toThrow(want);
});
