/** A document that moves to OpenAPI 3.1 without another meaning: the comparison has nothing to tell. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { diffDocuments } from '../../../../src/contract';
import { definitionJson } from '../../../../src/document/bundle/write-definition';
import { documentObjects } from '../../../../src/document/structure/positions';
import { parseApiDocument } from '../../../../src/engine';

const files = [
  'specs/petstore.yaml',
  'specs/ads.yaml',
  'test/third-service/specs/library.yaml',
  'test/end-to-end/contract-test/shop.yaml',
  'test/end-to-end/contract-test/odd.yaml',
];

/** Writes a Schema Object as JSON Schema 2020-12 has it. */
const moveSchema = (schema: Record<string, unknown>): void => {
  const { type, nullable, example } = schema;
  if (nullable === true && type !== undefined) schema['type'] = [type, 'null'];
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const isExclusive = schema[exclusive];
    Reflect.deleteProperty(schema, exclusive);
    if (isExclusive !== true) continue;
    schema[exclusive] = schema[limit];
    Reflect.deleteProperty(schema, limit);
  }
  if (example !== undefined) schema['examples'] = [example];
  for (const gone of ['nullable', 'example']) Reflect.deleteProperty(schema, gone);
};

/** Writes a document of OpenAPI 3.0 as one of 3.1. */
const moved = (text: string): string => {
  const { definition } = parseApiDocument('old.yaml', text);
  const objects = documentObjects(definition);
  const schemas = objects.filter(({ name, value }) => name === 'Schema' && !('$ref' in value));
  for (const schema of new Set(schemas.map(({ value }) => value))) moveSchema(schema);
  Object.assign(definition, { openapi: '3.1.1' });
  return definitionJson(definition);
};

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(rootFolder, file), 'utf8');
  const documents = [
    parseApiDocument('a.yaml', text),
    parseApiDocument('a.yaml', moved(text)),
  ] as const;
  const [old, now] = documents;

  test('there is something to compare', () => {
    expect(old.operations.length).toBeGreaterThan(0);
  });

  test('moved up and back', () => {
    expect(diffDocuments(old, now)).toEqual([]);
    expect(diffDocuments(now, old)).toEqual([]);
  });
});
