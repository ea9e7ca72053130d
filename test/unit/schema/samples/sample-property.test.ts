/** For generated schemas: a value is made, it fits, and every wire format can carry it. */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readerOf } from '../../../../src/engine/media-types/codec/codec';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { sampleValue } from '../../../../src/schema/samples/sample-value';
import { schemasOf } from '../../../support/schemas';
import { anySample } from '../../engine/media-types/schema-arbitrary';

test.each([
  ['JSON', 'application/json'],
  ['XML', 'application/xml'],
])('a value of any schema travels as %s', (_title, mediaType) => {
  fc.assert(
    fc.property(anySample, ({ schema: given }) => {
      const tools = schemaContext();
      const schema = schemasOf()(given);
      const made = sampleValue(schema, tools);
      if ('reason' in made) throw new Error(made.reason);
      const validate = tools.validators.validatorOf(schema, 'response');
      expect(validate(made.value)).toEqual([]);
      const codec = tools.codecs.codecFor(mediaType);
      if (codec === undefined) throw new Error(`No codec of ${mediaType}`);
      const shape = tools.shapeOf(schema);
      const text = codec.writer(shape, 'response')(made.value);
      expect(validate(readerOf(codec, shape, 'storage')(text))).toEqual([]);
    }),
    { seed: 3, numRuns: 50 },
  );
});

/** Keywords of one type that can contradict each other. */
const limited = fc.oneof(
  fc.record(
    {
      type: fc.constant('integer'),
      format: fc.constantFrom('int32', 'int64', 'other'),
      minimum: fc.integer({ min: -1000, max: 1000 }),
      maximum: fc.integer({ min: -1000, max: 1000 }),
      exclusiveMinimum: fc.boolean(),
      exclusiveMaximum: fc.boolean(),
      multipleOf: fc.integer({ min: 1, max: 50 }),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('number'),
      minimum: fc.integer({ min: -1000, max: 1000 }).map((value) => value / 8),
      maximum: fc.integer({ min: -1000, max: 1000 }).map((value) => value / 8),
      exclusiveMinimum: fc.boolean(),
      exclusiveMaximum: fc.boolean(),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('string'),
      minLength: fc.nat(50),
      maxLength: fc.nat(50),
      format: fc.constantFrom('password', 'uri', 'hostname', 'byte'),
    },
    { requiredKeys: ['type'] },
  ),
);

test('a value that is made fits, and one is made wherever the limits leave room', () => {
  const tools = schemaContext();
  fc.assert(
    fc.property(limited, (given) => {
      const schema = schemasOf()(given);
      const made = sampleValue(schema, tools);
      const validate = tools.validators.validatorOf(schema, 'response');
      if ('value' in made) {
        expect(validate(made.value)).toEqual([]);
      } else {
        // No value of a dense search fits either.
        const tried =
          given.type === 'string'
            ? ['', 'a', 'a:b', 'aaaa', ...Array.from({ length: 51 }, (_, at) => 'A'.repeat(at))]
            : Array.from({ length: 16_001 }, (_, at) => at / 8 - 1000);
        expect(tried.filter((value) => validate(value).length === 0)).toEqual([]);
      }
    }),
    { seed: 5, numRuns: 60 },
  );
});
