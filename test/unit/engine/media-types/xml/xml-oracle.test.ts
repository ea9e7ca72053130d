/** xml2js reads what our writer wrote, and reads free-form XML as we do where it can. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseString } from 'xml2js';
import { parseXml } from '../../../../../src/engine/media-types/xml/parser/xml-parser';
import { xmlCodec } from '../../../../../src/engine/media-types/xml/xml';
import { plainName } from '../../../../../src/engine/media-types/xml/xml-names';
import { readFreeForm } from '../../../../../src/engine/media-types/xml/xml-reader';
import { writeFreeForm } from '../../../../../src/engine/media-types/xml/xml-writer';
import { shapeOf } from '../shapes';

/** Reads a text by xml2js, in the layout that readFreeForm gives. */
function readIndependently(xml: string): unknown {
  let result: unknown;
  const options = { async: false, explicitArray: false, explicitRoot: false, mergeAttrs: true };
  parseString(xml, { ...options, charkey: '#text', emptyTag: '' }, (error, value) => {
    if (error) throw error;
    result = value;
  });
  return JSON.parse(JSON.stringify(result));
}

test('xml2js reads the names and values that our writer wrote', () => {
  const Tag = {
    type: 'object',
    xml: { name: 'tag' },
    properties: { id: { type: 'integer', format: 'int64' } },
  };
  const shape = shapeOf({
    type: 'object',
    xml: { name: 'pet' },
    properties: {
      id: { type: 'integer', format: 'int64', xml: { attribute: true } },
      name: { type: 'string' },
      photoUrls: {
        type: 'array',
        xml: { wrapped: true },
        items: { type: 'string', xml: { name: 'photoUrl' } },
      },
      tags: { type: 'array', items: Tag },
    },
  });
  const xml = xmlCodec.writer(
    shape,
    'response',
  )({
    id: 9223372036854775807n,
    name: '<&>"\'é😀]]>',
    photoUrls: ['a', 'b'],
    tags: [{ id: 1n }, { id: 2n }],
  });
  expect(readIndependently(xml)).toStrictEqual({
    id: '9223372036854775807',
    name: '<&>"\'é😀]]>',
    photoUrls: { photoUrl: ['a', 'b'] },
    tag: [{ id: '1' }, { id: '2' }],
  });
});

describe('free-form XML', () => {
  /** Texts without the blanks and line ends that xml2js treats in its own way. */
  const text = fc.string({ unit: 'grapheme' }).map((given) => `x${given.replace(/\s/g, '')}`);
  const key = fc.stringMatching(/^[a-z]{1,3}$/);
  const value = fc.letrec<{ node: unknown; object: unknown }>((tie) => ({
    node: fc.oneof(
      text,
      fc.constant(''),
      tie('object'),
      fc.array(text, { minLength: 2, maxLength: 3 }),
    ),
    object: fc.dictionary(key, tie('node'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  })).object;

  test('is read alike by both, and back to what was written', () => {
    fc.assert(
      fc.property(value, (given) => {
        const xml = writeFreeForm(given, plainName('root'), undefined);
        const ours = readFreeForm(parseXml(xml), '');
        expect(ours).toStrictEqual(given);
        expect(readIndependently(xml)).toStrictEqual(ours);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test.each([
    ['attributes', '<r a="1"><b c="2">x</b></r>'],
    ['mixed content', '<r>x<a>1</a></r>'],
    ['CDATA and comments', '<r><a>1<!-- c -->2<![CDATA[<3>]]></a></r>'],
    ['an underscore', '<r><_>1</_><_>2</_></r>'],
  ])('%s are read alike', (_title, xml) => {
    expect(readIndependently(xml)).toStrictEqual(
      JSON.parse(JSON.stringify(readFreeForm(parseXml(xml), ''))),
    );
  });

  /** Texts whose data the library loses or changes, which is why it does not read requests. */
  test.each([
    ['prototype names', '<r><constructor>1</constructor></r>', { constructor: '1' }],
    ['line ends', '<r>a\r\nb</r>', 'a\nb'],
    ['blanks in attributes', '<r a="1\n2"/>', { a: '1 2' }],
    ['null', '<r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>', null],
  ])('%s are read by the rules of XML', (_title, xml, expected) => {
    expect(readFreeForm(parseXml(xml), '')).toStrictEqual(expected);
    expect(readIndependently(xml)).not.toStrictEqual(expected);
  });
});
