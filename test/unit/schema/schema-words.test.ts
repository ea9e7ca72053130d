/** The words for schemas on the documentation page. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/engine';
import { schemaRows, schemaWords } from '../../../src/schema/schema-words';
import { readText, tableOf } from '../../support/text-cases';

const schemaOf = (text: string) => {
  const { schemas } = parseApiDocument(
    'things.yaml',
    `openapi: 3.1.0
info: { title: Things, version: '1' }
paths: {}
components:
  schemas:
    Tree: { type: object, required: [name], properties: { name: { type: string }, left: { $ref: '#/components/schemas/Tree' } } }
    Lists: { type: array, items: { $ref: '#/components/schemas/Lists' } }
    Thing: ${text}
`,
  );
  return schemas.get('Thing');
};

test.each(tableOf(join(__dirname, 'schema-words.cases.txt'), 'schemas'))(
  '%s',
  (text = '', words = '') => {
    expect(schemaWords(schemaOf(text))).toBe(readText(words));
  },
);

test.each([
  [
    '{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21] }',
    /^one of 1, .* 20, … \(21 in all\)$/,
  ],
  ["{ type: array, items: { $ref: '#/components/schemas/Lists' } }", /^list of list of list of /],
])('%s', (text, words) => {
  expect(schemaWords(schemaOf(text))).toMatch(words);
});

describe('rows', () => {
  const text = `
      type: object
      required: [id, parts]
      properties:
        id: { type: integer, readOnly: true }
        secret: { type: string, writeOnly: true }
        parts: { type: array, items: { type: object, required: [size], properties: { size: { type: integer, description: In mm } } } }
        tree: { $ref: '#/components/schemas/Tree' }
        way: { oneOf: [{ title: By sea, type: object, properties: { ship: { type: string } } }, { type: string }] }
      additionalProperties: { type: number, minimum: 0 }
`;
  const shared = [
    ['parts, required', 'list of object, '],
    ['parts[].size, required', 'integer, In mm'],
    ['tree', 'object Tree, '],
    ['tree.name, required', 'string, '],
    ['tree.left', 'object Tree, '],
    ['way', 'either object – or string, '],
    ['way (By sea).ship', 'string, '],
    ['*', 'number, at least 0, '],
  ];

  test.each<['request' | 'response', string[]]>([
    ['request', ['secret', 'string, ']],
    ['response', ['id, required', 'integer, ']],
  ])('of a %s', (direction, own) => {
    const rows = schemaRows(schemaOf(text), { direction }).map(
      ({ path, isRequired, words, description }) => [
        path + (isRequired && path !== '' ? ', required' : ''),
        `${words}, ${description}`,
      ],
    );
    expect(rows).toEqual([['', 'object Thing, '], own, ...shared]);
  });

  test('of any value are none', () => {
    expect(schemaRows(schemaOf('{}'), { direction: 'request' })).toEqual([]);
    expect(schemaRows(undefined, { direction: 'request' })).toEqual([]);
  });

  test('are limited in number', () => {
    const members = Array.from({ length: 300 }, (_, index) => `p${index}: { type: string }`);
    const schema = schemaOf(`{ type: object, properties: { ${members.join(', ')} } }`);
    expect(schemaRows(schema, { direction: 'request' })).toHaveLength(200);
  });
});
