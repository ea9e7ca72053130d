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
