/** Values that the contract test sends: all fit their schema, and there are several where there is room for them. */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyOptions } from '../../../../../src/contract/tester/values/case-arbitrary';
import { valueArbitrary } from '../../../../../src/contract/tester/values/values';
import { jsonSchema202012 } from '../../../../../src/document/versions/schema-keywords';
import { schemaContext } from '../../../../../src/engine/media-types/schema-context';
import { planOf } from '../../../../../src/schema/samples/sample-plan';
import { schemasOf } from '../../../../support/schemas';

const tools = schemaContext();

const sampleValid = (given: object) => {
  const schema = schemasOf({}, jsonSchema202012)(given);
  const values = valueArbitrary(planOf([schema]), bodyOptions(tools));
  return {
    values: values && fc.sample(values, { seed: 1, numRuns: 200 }),
    accepts: tools.validators.accepts(schema, 'request'),
  };
};

test.each([
  [{ type: 'number' }],
  [{ type: 'number', format: 'float' }],
  [{ type: 'number', minimum: 0, maximum: 1 }],
  [{ type: 'number', format: 'float', minimum: 0, maximum: 1 }],
  [{ type: 'number', format: 'float', exclusiveMinimum: 0.1, exclusiveMaximum: 0.2 }],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 }],
  [{ type: 'number', minimum: 1e-12, maximum: 2e-12 }],
  [{ type: 'number', minimum: 1e15 }],
  [{ type: 'number', maximum: -1e15 }],
  [{ type: 'number', multipleOf: 0.01, minimum: 0.005 }],
  [{ type: 'number', multipleOf: 2.5, minimum: 1e6, exclusiveMaximum: 1e6 + 10 }],
  [{ type: 'integer', format: 'int64' }],
  [{ type: 'integer', multipleOf: 7, maximum: -1 }],
  [{ type: 'string', minLength: 3, maxLength: 4 }],
])('%j', (given) => {
  const { values = [], accepts } = sampleValid(given);
  expect(values.filter((value) => !accepts(value))).toEqual([]);
  expect(new Set(values).size).toBeGreaterThan(3);
});

test.each([
  [{ type: 'number', exclusiveMinimum: 1, maximum: 1 }],
  [{ type: 'number', multipleOf: 5, minimum: 1, maximum: 4 }],
  [{ type: 'integer', minimum: 3, maximum: 2 }],
  [{ type: 'string', minLength: 5, maxLength: 3 }],
  [{ type: 'string', minLength: 1e9 }],
])('none fits %j', (given) => {
  expect(sampleValid(given).values).toBeUndefined();
});
