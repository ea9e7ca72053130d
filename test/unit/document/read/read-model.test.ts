import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';

const text = `
openapi: 3.1.2
info: { title: Notes, version: '1' }
webhooks: { noted: { post: { requestBody: { content: { application/json: {} } } } } }
paths:
  /note:
    post:
      operationId: addNote
      parameters: [{ name: tag, in: query, schema: { type: string }, example: a }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        '200': { description: Done, headers: { X-Rate: { schema: { type: integer } } } }
      callbacks: { done: { '{$request.query.tag}': { post: { operationId: called } } } }
components: { schemas: { Note: { type: object, properties: { next: { $ref: '#/components/schemas/Note' } } } } }
`;

test('the model is frozen, and a schema that contains itself is one object', () => {
  const { operations, webhooks, schemas, info } = parseApiDocument('notes.yaml', text);
  const [operation] = operations;
  const note = schemas.get('Note');
  const [parameter] = operation?.parameters ?? [];
  const [response] = operation?.responses ?? [];
  const content = operation?.requestBody?.content ?? [];
  const nodes = [info, operations, operation, parameter, parameter?.examples[0], response, note];
  const [callback] = operation?.callbacks ?? [];
  const more = [response?.headers[0], content[0], webhooks[0], callback, callback?.operations[0]];
  expect([...nodes, ...more].map((node) => node && Object.isFrozen(node))).toEqual(
    Array(nodes.length + more.length).fill(true),
  );
  expect(content[0]?.schema).toBe(note);
  expect(note?.properties?.get('next')).toBe(note);
});

test('the fields of OpenAPI 3.2', () => {
  const document = parseApiDocument(
    'shop.yaml',
    readFileSync(join(__dirname, 'read-model.yaml'), 'utf8'),
  );
  const { operations, webhooks, tags, servers, schemas, securitySchemes } = document;
  const [operation] = operations;
  expect(servers.map(({ name }) => name)).toEqual(['first', undefined]);
  expect(tags).toEqual([
    { pointer: '/tags/0', name: 'a', summary: 'A', kind: 'nav' },
    { pointer: '/tags/1', name: 'b', description: 'B', parent: 'a' },
  ]);
  expect(operation?.responses.map(({ description }) => description)).toEqual([
    'Short',
    'Long',
    'Replaced',
    '',
  ]);
  expect(operation?.responses[0]?.content).toMatchObject([
    { key: 'text/plain', pointer: '/components/mediaTypes/Text', schema: { types: ['string'] } },
  ]);
  const told = [webhooks[0], operation?.callbacks[0]?.operations[0]];
  expect(told.map((one) => [one?.operationId, one?.pointer, one?.path])).toEqual([
    ['tell', '/components/pathItems/Told/post', 'sold'],
    ['tell', '/components/pathItems/Told/post', '{$request.body#/url}'],
  ]);
  expect(schemas.get('Pet')?.discriminator?.defaultMapping).toBe(schemas.get('Other'));
  expect(schemas.get('Pets')?.discriminator?.defaultMapping).toBe(schemas.get('Cat'));
  expect(securitySchemes.get('old')?.deprecated).toBe(true);
  expect(securitySchemes.get('auth')).toMatchObject({
    oauth2MetadataUrl: 'https://a.test/m',
    flows: { deviceAuthorization: { deviceAuthorizationUrl: 'https://a.test/d' } },
  });
});

test.each(['3.0.3', '3.1.2'])('W45 fields of OpenAPI 3.2 have no effect in %s', (openapi) => {
  const { operations, declared, schemas } = parseApiDocument(
    'shop.yaml',
    `
openapi: ${openapi}
info: { title: Shop, version: '1' }
paths:
  /a:
    get:
      responses:
        '200': { summary: Short, content: { application/jsonl: { itemSchema: {}, prefixEncoding: [{}], itemEncoding: {}, examples: { a: { dataValue: 1 }, b: { value: 2, serializedValue: '3' } } } } }
components: { schemas: { Pet: { oneOf: [{ type: object }], discriminator: { propertyName: kind, defaultMapping: Pet } } } }
`,
  );
  const [response] = operations[0]?.responses ?? [];
  expect(response?.description).toBe('');
  expect(response?.content[0]).toMatchObject({
    itemSchema: undefined,
    prefixEncoding: [],
    itemEncoding: undefined,
    examples: [{ name: 'b', value: 2 }],
  });
  expect(response?.content[0]?.examples[0]).not.toHaveProperty('serialized');
  expect(declared.examples).toEqual([]);
  expect(schemas.get('Pet')?.discriminator?.defaultMapping).toBeUndefined();
});
