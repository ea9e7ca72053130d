/** Reading any text gives a value or MalformedText, soon. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MalformedText } from '../../../../src/base/malformed-text';
import type { Codec } from '../../../../src/engine/media-types/codec/codec';
import { readerOf } from '../../../../src/engine/media-types/codec/codec';
import { formCodec } from '../../../../src/engine/media-types/forms/form';
import { jsonCodec } from '../../../../src/engine/media-types/json/json';
import { decodeXml, xmlCodec } from '../../../../src/engine/media-types/xml/xml';
import { yamlCodec } from '../../../../src/engine/media-types/yaml/yaml';
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
  // As large as a body may be.
  const size = 2 ** 20;
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
  const texts: readonly [string, Codec, string][] = [
    ['digits in JSON', jsonCodec, `{"n":${'9'.repeat(size)}}`],
    ['a fraction in JSON', jsonCodec, `{"n":0.${'9'.repeat(size)}e-${'9'.repeat(20)}}`],
    ['open brackets', jsonCodec, '['.repeat(size)],
    ['open braces', jsonCodec, '{"a":'.repeat(size / 5)],
    ['a string of escapes', jsonCodec, `"${'\\u0041'.repeat(size / 6)}`],
    [
      'keys',
      jsonCodec,
      `{${Array.from({ length: size / 10 }, (_, index) => `"${index}":0`).join()}}`,
    ],
    ['repeated keys', jsonCodec, `{${'"a":0,'.repeat(size / 6)}"a":0}`],
    ['blanks in JSON', jsonCodec, ' '.repeat(size)],
    ['digits in XML', xmlCodec, `<object><n>${'9'.repeat(size)}</n></object>`],
    ['open tags', xmlCodec, '<a>'.repeat(size / 3)],
    ['elements', xmlCodec, `<object>${'<a>1</a>'.repeat(size / 8)}</object>`],
    ['a long name', xmlCodec, `<${'a'.repeat(size)}/>`],
    ['a long name with colons', xmlCodec, `<${'a:'.repeat(size / 2)}/>`],
    [
      'attributes',
      xmlCodec,
      `<a ${Array.from({ length: size / 10 }, (_, index) => `a${index}=""`).join(' ')}/>`,
    ],
    [
      'declarations',
      xmlCodec,
      `<a ${Array.from({ length: size / 20 }, (_, index) => `xmlns:a${index}="u"`).join(' ')}/>`,
    ],
    ['references', xmlCodec, `<object>${'&amp;'.repeat(size / 5)}</object>`],
    ['bare ampersands', xmlCodec, `<object>${'&'.repeat(size)}</object>`],
    ['comments', xmlCodec, `${'<!---->'.repeat(size / 7)}<object/>`],
    ['open comments', xmlCodec, '<!--'.repeat(size / 4)],
    ['CDATA', xmlCodec, `<object><n>${'<![CDATA[]]>'.repeat(size / 12)}</n></object>`],
    ['blanks in XML', xmlCodec, `<object${' '.repeat(size)}/>`],
    ['blanks in a declaration', xmlCodec, `<?xml${' '.repeat(size)}`],
    ['fields', formCodec, 'a=1&'.repeat(size / 4)],
    ['open field brackets', formCodec, `a${'['.repeat(size)}=1`],
    ['field brackets', formCodec, `a${'[]'.repeat(size / 2)}=1`],
    ['digits in a form', formCodec, `n=${'9'.repeat(size)}`],
    ['triples', formCodec, `x=${'%41'.repeat(size / 3)}`],
    ['separators', formCodec, '&'.repeat(size)],
    ['indexes', formCodec, `a[${'9'.repeat(size)}]=1`],
    ['a YAML map', yamlCodec, 'a: 1\n'.repeat(size / 5)],
    ['YAML keys', yamlCodec, Array.from({ length: size / 10 }, (_, at) => `a${at}: 1\n`).join('')],
    ['open YAML brackets', yamlCodec, '['.repeat(size)],
    ['YAML lists', yamlCodec, '- '.repeat(size / 2)],
    ['YAML keys of keys', yamlCodec, '? '.repeat(size / 2)],
    ['YAML anchors', yamlCodec, '&a '.repeat(size / 3)],
    ['YAML tags', yamlCodec, '!a '.repeat(size / 3)],
    ['YAML aliases', yamlCodec, `- &a b\n${'- *a\n'.repeat(size / 5)}`],
    ['YAML aliases of aliases', yamlCodec, laughs],
    ['a long YAML text', yamlCodec, `a: "${'x\n '.repeat(size / 3)}"`],
    ['a plain YAML text', yamlCodec, `a: ${'x '.repeat(size / 2)}`],
    ['folded YAML text', yamlCodec, `a: >\n${' x\n'.repeat(size / 3)}`],
    ['blanks in YAML', yamlCodec, ' '.repeat(size)],
    ['blank lines in YAML', yamlCodec, `a:${'\n'.repeat(size)}b`],
    ['YAML comments', yamlCodec, '#\n'.repeat(size / 2)],
    ['YAML documents', yamlCodec, '---\n'.repeat(size / 4)],
    ['digits in YAML', yamlCodec, `n: ${'9'.repeat(size)}`],
    ['an exponent in YAML', yamlCodec, `n: 1e${'9'.repeat(size)}`],
    ['errors in YAML', yamlCodec, `[]M${'[[[[[[00'.repeat(3500)}`],
    ['a fraction in YAML', yamlCodec, `n: 0.${'3'.repeat(size)}`],
    ['lines', jsonLinesCodec, '\n'.repeat(size)],
    ['numbers in lines', jsonLinesCodec, '1\n'.repeat(size / 2)],
    ['separators of texts', jsonTextSequenceCodec, '\x1e'.repeat(size)],
    ['an open text', jsonTextSequenceCodec, `\x1e${'[\n'.repeat(size / 2)}`],
    ['fields of an event', eventStreamCodec, 'data\n'.repeat(size / 5)],
    ['a comment', eventStreamCodec, `:${' '.repeat(size)}`],
    ['digits of a time', eventStreamCodec, `retry: ${'0'.repeat(size)}x\n\n`],
  ];
  test.each(texts)('%s', (_title, codec, text) => {
    const read = readerOf(codec, shape, 'request');
    expectValueOrFault(() => read(text));
  });
});
