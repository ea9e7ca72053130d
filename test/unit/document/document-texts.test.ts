/** The texts of a document: with edits, and of the schemas that stored values depend on. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  type Edits,
  originalJson,
  schemaTexts,
  usableJson,
} from '../../../src/document/document-texts';
import { parseApiDocument } from '../../../src/engine/document/api-document';
import { anySchema } from '../../../src/model/schema';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'document-texts.cases.txt');

const documentIn = (openapi: string) =>
  parseApiDocument(
    'shop.yaml',
    `
openapi: ${openapi}
info: { title: Shop, version: '1' }
paths:
  /a:
    get:
      operationId: a
      parameters: [{ $ref: '#/components/parameters/P' }]
      responses:
        '200': { description: Fine, content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } }
  /b: { $ref: '#/paths/~1a' }
components:
  parameters: { P: { name: p, in: query, schema: { type: string } } }
  schemas:
    A: { type: object, properties: { b: { $ref: '#/components/schemas/B', title: Own }, __proto__: { type: string } } }
    B: { type: string }
`,
  );

const document = documentIn('3.0.3');
const content = '/paths/~1a/get/responses/200/content/application~1json';

test.each(
  valuesOf<[title: string, edits: Edits, at: readonly string[], want: unknown]>(cases, 'edits'),
)('an edit changes %s', (_title, edits, at, want) => {
  const before = [...originalJson(document)].join('');
  const written: unknown = JSON.parse([...usableJson(document, edits)].join(''));
  const found = at.reduce<unknown>(
    (value, step) => Object.getOwnPropertyDescriptor(Object(value), step)?.value,
    written,
  );
  expect(found).toEqual(want ?? undefined);
  expect([...originalJson(document)].join('')).toBe(before);
});

test.each([
  ['3.0.3', { type: 'string', example: 'x' }],
  ['3.1.2', { type: 'string', example: 'x', title: 'Own' }],
])('siblings of a reference are kept as %s has them', (openapi, want) => {
  const edits = { '/components/schemas/A/properties/b': { example: 'x' } };
  const written = JSON.parse([...usableJson(documentIn(openapi), edits)].join(''));
  expect(written.components.schemas.A.properties.b).toEqual(want);
});

test('values depend on all components, on a schema that is none, and on a newer version', () => {
  const inline = { ...anySchema, pointer: `${content}/schema` };
  const components = JSON.stringify(document.definition.components?.schemas);
  const a = document.schemas.get('A') ?? anySchema;
  expect(schemaTexts(document, a)).toEqual([components]);
  expect(schemaTexts(document, inline)).toEqual([components, '{"$ref":"#/components/schemas/A"}']);
  expect(schemaTexts(documentIn('3.1.2'), a)).toEqual([components, '"3.1"', 'null']);
});

test('what generators of clients can use of OpenAPI 3.2', () => {
  const text = `
openapi: 3.2.0
$self: https://a.test/api
info: { title: Shop, version: '1' }
paths:
  /a:
    query:
      parameters: [{ name: p, in: query, x-comma-separated: true, schema: { type: string }, examples: { a: { dataValue: 'a,b' }, b: { serializedValue: p=a }, c: { $ref: '#/components/examples/C' } } }]
      responses:
        '200': { content: { text/csv: { $ref: '#/components/mediaTypes/Gone' }, text/plain: { $ref: '#/components/mediaTypes/Here' } } }
components: { mediaTypes: { Here: {} }, examples: { C: { value: c } } }
`;
  const usable = JSON.parse([...usableJson(parseApiDocument('shop.yaml', text))].join(''));
  expect(usable).toMatchObject({ openapi: '3.2.0', $self: 'https://a.test/api' });
  const { parameters, responses } = usable.paths['/a'].query;
  expect(parameters[0].examples).toEqual({
    a: { dataValue: ['a', 'b'] },
    b: { serializedValue: 'p=a' },
    c: { value: ['c'] },
  });
  expect(responses['200'].content).toEqual({
    'text/csv': { 'x-broken-reference': '#/components/mediaTypes/Gone' },
    'text/plain': { $ref: '#/components/mediaTypes/Here' },
  });
});
