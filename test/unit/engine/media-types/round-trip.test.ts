/** A written value is read back as it was: generated schemas, generated values. */

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseString } from 'xml2js';
import type { Codec } from '../../../../src/engine/media-types/codec/codec';
import { readerOf } from '../../../../src/engine/media-types/codec/codec';
import { formCodec } from '../../../../src/engine/media-types/forms/form';
import { jsonCodec } from '../../../../src/engine/media-types/json/json';
import { xmlCodec } from '../../../../src/engine/media-types/xml/xml';
import { yamlCodec } from '../../../../src/engine/media-types/yaml/yaml';
import { jsonLinesCodec, jsonTextSequenceCodec } from './list-codecs';
import { anySample, formSample, listSample, type Sample } from './schema-arbitrary';
import { shapeOf } from './shapes';

/** With keys that no element can have; by default an element named `_` makes xml2js throw a TypeError. */
const xml2jsOptions = { async: false, xmlns: true, charkey: '#text', attrkey: '#attributes' };

/** A schema with one of its values. */
const sampled = (sample: fc.Arbitrary<Sample>) =>
  sample.chain(({ schema, value }) => fc.tuple(fc.constant(schema), value));

const roundTrip = (codec: Codec, schema: object, value: unknown) => {
  const shape = shapeOf(schema);
  const text = codec.writer(shape, 'storage')(value);
  const back = readerOf(codec, shape, 'storage')(text);
  // Not toStrictEqual, which takes a property named constructor for the class.
  if (!isDeepStrictEqual(back, value)) expect({ text, back }).toStrictEqual({ text, back: value });
  return text;
};

describe('read(write(value)) is value', () => {
  test('in JSON, which JSON.parse reads too', () => {
    fc.assert(
      fc.property(sampled(anySample), ([schema, value]) => {
        JSON.parse(roundTrip(jsonCodec, schema, value));
      }),
      { seed: 11, numRuns: 600 },
    );
  });

  test('in XML, which xml2js reads too', () => {
    fc.assert(
      fc.property(sampled(anySample), ([schema, value]) => {
        parseString(roundTrip(xmlCodec, schema, value), xml2jsOptions, (error) => {
          if (error) throw error;
        });
      }),
      { seed: 12, numRuns: 600 },
    );
  });

  test('in forms', () => {
    fc.assert(
      fc.property(sampled(formSample), ([schema, value]) => {
        roundTrip(formCodec, schema, value);
      }),
      { seed: 13, numRuns: 600 },
    );
  });

  test.each([
    ['YAML', yamlCodec, anySample],
    ['JSON Lines', jsonLinesCodec, listSample],
    ['JSON text sequences', jsonTextSequenceCodec, listSample],
  ])('in %s', (_name, codec, sample) => {
    fc.assert(
      fc.property(sampled(sample), ([schema, value]) => {
        roundTrip(codec, schema, value);
      }),
      { seed: 14, numRuns: 600 },
    );
  });
});
