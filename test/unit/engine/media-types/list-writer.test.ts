/** A list written piece by piece is the text that the whole list would be. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Codec } from '../../../../src/engine/media-types/codec/codec';
import { plainTextCodec } from '../../../../src/engine/media-types/codecs';
import { formCodec } from '../../../../src/engine/media-types/forms/form';
import { jsonCodec } from '../../../../src/engine/media-types/json/json';
import { xmlCodec } from '../../../../src/engine/media-types/xml/xml';
import { yamlCodec } from '../../../../src/engine/media-types/yaml/yaml';
import { readValue, tableOf } from '../../../support/text-cases';
import { readSchema } from '../../schema/validation/validators-of';
import { jsonLinesCodec, jsonTextSequenceCodec } from './list-codecs';
import { anySample } from './schema-arbitrary';
import { shapeOf } from './shapes';

const components = {
  Tag: { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } },
  User: {
    type: 'object',
    properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } },
  },
};
const Tag = { $ref: '#/components/schemas/Tag' };
const string = { type: 'string' };

const writePieces = (codec: Codec, schema: object, items: readonly unknown[]): string => {
  const list = codec.listWriter?.(shapeOf(schema, components), 'response');
  if (list === undefined) throw new Error('This list cannot be written in pieces');
  const { empty, open, separator, close, item } = list;
  return items.length === 0 ? empty : open + items.map(item).join(separator) + close;
};

const writeWhole = (codec: Codec, schema: object, items: readonly unknown[]): string =>
  codec.writer(shapeOf(schema, components), 'response')(items);

const lists: readonly (readonly [string, object, readonly unknown[]])[] = [
  ...tableOf(join(__dirname, 'list-writer.cases.txt'), 'lists').map(
    ([title = '', schema = '', items = '']): [string, object, unknown[]] => [
      title,
      readSchema(schema),
      Object(readValue(items)),
    ],
  ),
  ['of nulls', { items: { ...string, nullable: true } }, [null, 'a', undefined]],
];

describe.each([
  ['json', jsonCodec],
  ['xml', xmlCodec],
  ['json lines', jsonLinesCodec],
  ['json text sequences', jsonTextSequenceCodec],
  ['yaml', yamlCodec],
])('in %s', (_name, codec) => {
  describe.each(lists)('a list %s', (_title, schema, items) => {
    test.each([0, 1, items.length])('of %i items', (count) => {
      const list = { type: 'array', ...schema };
      const some = items.slice(0, count);
      expect(writePieces(codec, list, some)).toBe(writeWhole(codec, list, some));
    });
  });

  test('of any schema', () => {
    const list = anySample.chain(({ schema, value }) =>
      fc.tuple(fc.constant({ type: 'array', items: schema }), fc.array(value, { maxLength: 3 })),
    );
    fc.assert(
      fc.property(list, ([schema, items]) => {
        expect(writePieces(codec, schema, items)).toBe(writeWhole(codec, schema, items));
      }),
      { seed: 21, numRuns: 250 },
    );
  });
});

describe('what cannot be written in pieces', () => {
  test.each([
    ['no list', jsonCodec, Tag],
    ['no list', xmlCodec, Tag],
    ['anything', jsonCodec, {}],
    ['a list or something else', jsonCodec, { oneOf: [{ type: 'array', items: string }, Tag] }],
    ['lists under several names', xmlCodec, { type: 'array', items: {}, anyOf: [{}, {}] }],
    ['a form', formCodec, { type: 'array', items: string }],
    ['plain text', plainTextCodec, { type: 'array', items: string }],
  ])('%s (%j)', (_title, codec: Codec, schema) => {
    expect(codec.listWriter?.(shapeOf(schema, components), 'response')).toBeUndefined();
  });
});
