/** The words for schemas on the documentation page. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/engine';
import { schemaRows, schemaWords } from '../../../src/schema/schema-words';

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

test.each([
  [
    '{ type: integer, format: int64, minimum: 1, exclusiveMaximum: 9007199254740993 }',
    'integer, int64, at least 1, less than 9007199254740993',
  ],
  [
    '{ type: number, exclusiveMinimum: 0, maximum: 1, multipleOf: 0.5 }',
    'number, greater than 0, at most 1, a multiple of 0.5',
  ],
  [
    "{ type: [string, 'null'], enum: [a, null], default: a }",
    'string or null, one of a, null, default a',
  ],
  ['{ type: string, const: a }', 'string, always a'],
  ['{ type: string, minLength: 1, maxLength: 1 }', 'string, exactly 1 character'],
  ['{ type: string, minLength: 2 }', 'string, at least 2 characters'],
  ['{ type: string, maxLength: 1, deprecated: true }', 'string, at most 1 character, deprecated'],
  ["{ type: string, pattern: '^a' }", 'string, pattern ^a'],
  ['{ allOf: [{ type: integer, minimum: 1 }, { minimum: 3 }] }', 'integer, at least 3'],
  [
    '{ type: array, items: { type: string }, minItems: 1, maxItems: 3, uniqueItems: true }',
    'list of string, 1 to 3 items, no two alike',
  ],
  ['{ type: array, items: { type: integer, minimum: 1 } }', 'list of (integer, at least 1)'],
  ['{ type: array }', 'list of anything'],
  ['{ type: object, minProperties: 1, maxProperties: 2 }', 'object Thing, 1 to 2 members'],
  ["{ $ref: '#/components/schemas/Tree' }", 'object Tree'],
  [
    "{ oneOf: [{ $ref: '#/components/schemas/Tree' }, { type: string, const: none }] }",
    'either Tree – or string, always none',
  ],
  [
    '{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21] }',
    /^one of 1, .* 20, … \(21 in all\)$/,
  ],
  ["{ type: array, items: { $ref: '#/components/schemas/Lists' } }", /^list of list of list of /],
  ['{}', ''],
])('%s', (text, words) => {
  if (typeof words === 'string') expect(schemaWords(schemaOf(text))).toBe(words);
  else expect(schemaWords(schemaOf(text))).toMatch(words);
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
