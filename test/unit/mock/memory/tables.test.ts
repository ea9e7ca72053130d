/** The items of one resource: their identities, and the bounds within which they are kept. */

import { describe, expect, test } from '@jest/globals';
import type { PlainObject } from '../../../../src/base/plain-object';
import { resourcesOf } from '../../../../src/document/resources/resources';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { makeTable, type Table } from '../../../../src/mock/memory/tables';
import { compileValues } from '../../../../src/mock/values/items';

const tableOf = (identity: object, inPath: object = identity): Table => {
  const schema = { type: 'object', properties: { id: identity, text: { type: 'string' } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: inPath }];
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'Fine', content } };
  const document = parseApiDocument(
    'specs/test.yaml',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Test', version: '1' },
      paths: {
        '/things': { post: { requestBody: { content }, responses } },
        '/things/{id}': { parameters, get: { responses } },
      },
    }),
  );
  const tools = schemaContext(document);
  const [resource] = resourcesOf(document, tools.shapeOf);
  if (resource === undefined) throw new Error('The document has no resource');
  const usage = { items: 0, bytes: 0 };
  return makeTable(resource, document.operations, compileValues(tools, 'any'), usage, 1);
};

const add = (table: Table, count: number, more: PlainObject = {}): unknown[] =>
  Array.from({ length: count }, () => {
    const id = table.newIdentity([]);
    table.set({ scope: [], item: { id, ...more } });
    return id;
  });

describe('new identities', () => {
  test.each<[title: string, identity: object, inPath: object | undefined, expected: unknown[]]>([
    ['the next number', { type: 'integer' }, undefined, [1, 2, 3]],
    ['exact numbers', { type: 'integer', format: 'int64' }, undefined, [1n, 2n, 3n]],
    ['numbers in a range', { type: 'integer', minimum: 10 }, undefined, [10, 11, 12]],
    [
      'numbers that the path takes',
      { type: 'integer' },
      { type: 'integer', multipleOf: 5 },
      [5, 10, 15].map(() => expect.anything()),
    ],
    ['short texts', { type: 'string' }, undefined, Array(3).fill(expect.stringMatching(/^\w{8}$/))],
    [
      'UUIDs',
      { type: 'string', format: 'uuid' },
      undefined,
      Array(3).fill(
        expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/),
      ),
    ],
    [
      'texts that fit the pattern and the length',
      { type: 'string', pattern: '^A-[0-9]+$', maxLength: 8 },
      undefined,
      Array(3).fill(expect.stringMatching(/^A-\d+$/)),
    ],
    ['values of an enum', { type: 'string', enum: ['a', 'b', 'c'] }, undefined, ['a', 'b', 'c']],
  ])('%s', (_title, identity, inPath, expected) => {
    const made = add(tableOf(identity, inPath), expected.length);
    expect(made).toEqual(expected);
    expect(new Set(made).size).toBe(expected.length);
  });

  test('where no other fits, the memory is full', () => {
    const table = tableOf({ type: 'string', enum: ['a'] });
    expect(() => add(table, 2)).toThrow(/no other id fits its schema/);
  });
});

describe('bounds', () => {
  test('10,000 items; those that are there can be changed and deleted', () => {
    const table = tableOf({ type: 'integer' });
    add(table, 10_000);
    expect(() => add(table, 1)).toThrow(/full: it holds 10000 items\. Delete items/);
    table.set({ scope: [], item: { id: 1, text: 'changed' } });
    table.delete([], 1);
    expect(add(table, 1)).toEqual([10_001]);
  });

  test('64 MiB', () => {
    const table = tableOf({ type: 'integer' });
    const text = 'a'.repeat(1024 * 1024);
    add(table, 63, { text });
    expect(() => add(table, 1, { text })).toThrow(/full: it holds 64 MiB/);
  });
});
