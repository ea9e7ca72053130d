/** Reading any text gives a value or MalformedText, soon. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MalformedText } from '../../../../src/base/malformed-text';
import type { Codec } from '../../../../src/engine/media-types/codec/codec';
import { readerOf } from '../../../../src/engine/media-types/codec/codec';
import { formCodec } from '../../../../src/engine/media-types/forms/form';
import { jsonCodec } from '../../../../src/engine/media-types/json/json';
import { decodeXml, xmlCodec } from '../../../../src/engine/media-types/xml/xml';
import { yamlCodec } from '../../../../src/engine/media-types/yaml/yaml';
import { fullText, tableOf } from '../../../support/text-cases';
import { eventStreamCodec, jsonLinesCodec, jsonTextSequenceCodec } from './list-codecs';
import { anySample, formSample, listSample, type Sample } from './schema-arbitrary';
import { shapeOf } from './shapes';

/** Pieces that matter to one format or the other. */
const piece = fc.constantFrom(
  ...'< > /> </ & ; " \' = { } [ ] , : \\ \\u0000 \\ud800 % %00 %ff + \0 \ud800 é 😀 1e999 - '.split(
    ' ',
  ),
  ...['<![CDATA[', ']]>', '<!--', '-->', '<?xml version="1.0"?>', '<!DOCTYPE a>', '&#0;', '&lt;'],
  ...[' xmlns="x"', '9'.repeat(400), '__proto__', 'null', ' '],
  ...['\n', '\r\n', '- ', '? ', '&a ', '*a', '<<: ', '!!set ', '|', '---\n', '#', '\t', '.inf'],
);
const mutation = fc.record({ at: fc.nat(400), remove: fc.nat(4), insert: fc.option(piece) });

const mutate = (
  text: string,
  { at, remove, insert }: { at: number; remove: number; insert: string | null },
) => {
  const start = at % (text.length + 1);
  return text.slice(0, start) + (insert ?? '') + text.slice(start + remove);
};

const expectValueOrFault = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedText);
  }
};

describe('mutated texts', () => {
  const formats: readonly [string, Codec, fc.Arbitrary<Sample>][] = [
    ['JSON', jsonCodec, anySample],
    ['XML', xmlCodec, anySample],
    ['form', formCodec, formSample],
    ['YAML', yamlCodec, anySample],
    ['JSON Lines', jsonLinesCodec, listSample],
    ['JSON text sequences', jsonTextSequenceCodec, listSample],
  ];
  test.each(formats)('%s', (_name, codec, sample) => {
    const given = sample.chain(({ schema, value }) =>
      fc.tuple(fc.constant(schema), value, fc.array(mutation, { minLength: 1, maxLength: 6 })),
    );
    fc.assert(
      fc.property(given, fc.boolean(), ([schema, value, mutations], truncates) => {
        const shape = shapeOf(schema);
        const mutated = mutations.reduce(mutate, codec.writer(shape, 'storage')(value));
        const text = truncates ? mutated.slice(0, Math.floor(mutated.length / 2)) : mutated;
        expectValueOrFault(() => readerOf(codec, shape, 'request')(text));
      }),
      { seed: 21, numRuns: 200 },
    );
  });

  test.each(formats)('%s of another schema', (_name, codec, sample) => {
    const other = sample.chain(({ schema, value }) => fc.tuple(fc.constant(schema), value));
    fc.assert(
      fc.property(sample, other, ({ schema }, [otherSchema, value]) => {
        const text = codec.writer(shapeOf(otherSchema), 'storage')(value);
        expectValueOrFault(() => readerOf(codec, shapeOf(schema), 'request')(text));
      }),
      { seed: 22, numRuns: 100 },
    );
  });

  test('bytes of any kind as XML', () => {
    const charset = fc.option(fc.constantFrom('utf-8', 'utf-16', 'iso-8859-1', 'us-ascii', 'x'), {
      nil: undefined,
    });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), charset, (bytes, encoding) => {
        expectValueOrFault(() => decodeXml(bytes, encoding));
      }),
      { seed: 23, numRuns: 1000 },
    );
  });
});

describe('values of any kind are written, whatever the schema', () => {
  test.each([
    ['JSON', jsonCodec],
    ['XML', xmlCodec],
    ['form', formCodec],
    ['YAML', yamlCodec],
    ['JSON Lines', jsonLinesCodec],
    ['JSON text sequences', jsonTextSequenceCodec],
  ] as const)('%s', (_name, codec) => {
    const value = fc.anything({ withBigInt: true, withObjectString: true });
    fc.assert(
      fc.property(anySample, value, ({ schema }, given) => {
        const shape = shapeOf(schema);
        const text = codec.writer(shape, 'response')(given);
        if (codec !== formCodec)
          expectValueOrFault(() => readerOf(codec, shapeOf({}), 'storage')(text));
        if (codec === xmlCodec)
          expect(() => readerOf(xmlCodec, shapeOf({}), 'storage')(text)).not.toThrow();
      }),
      { seed: 24, numRuns: 200 },
    );
  });
});

describe('texts made to hurt', () => {
  const codecs: Readonly<Record<string, Codec>> = {
    ...{ JSON: jsonCodec, XML: xmlCodec, form: formCodec, YAML: yamlCodec },
    ...{ 'JSON Lines': jsonLinesCodec, 'JSON text sequences': jsonTextSequenceCodec },
    events: eventStreamCodec,
  };
  const shape = shapeOf({
    type: 'object',
    properties: {
      n: { type: 'integer', format: 'int64' },
      a: { type: 'array', items: { type: 'integer' } },
    },
  });
  const laughs = Array.from(
    { length: 20 },
    (_, at) => `a${at}: &a${at} [${at === 0 ? 1 : `*a${at - 1}, *a${at - 1}, *a${at - 1}`}]\n`,
  ).join('');
  // Most are as large as a body may be.
  test.each(tableOf(join(__dirname, 'fuzz.cases.txt'), 'texts'))(
    '%s',
    (_title, name, text = '') => {
      const codec = codecs[name];
      if (codec === undefined) throw new Error(`There is no codec ${name}`);
      const read = readerOf(codec, shape, 'request');
      const full = fullText(text, { laughs });
      expectValueOrFault(() => read(full));
    },
  );
});
