/** A definition is written in parts that make the same text as it does in one. */

import { expect, test } from '@jest/globals';
import {
  definitionJson,
  definitionJsonParts,
} from '../../../../src/document/bundle/write-definition';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { largeDocument } from '../../../support/large-document';

const partsOf = (definition: object, replacements: ReadonlyMap<unknown, object> = new Map()) => [
  ...definitionJsonParts(definition, replacements),
];

test('exact numbers, replacements, and members that are left out', () => {
  const numbers = 'x-a: 1e400\nx-b: { c: 9007199254740993, d: { e: { f: { g: 1e400 } } } }';
  const { definition } = parseApiDocument(
    'a.yaml',
    `openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: { /a: {} }\n${numbers}`,
  );
  const replaced = Object.assign(definition, { 'x-left-out': undefined, 'x-list': [{}, 'b'] });
  const replacements = new Map<unknown, object>([[definition.paths, { '/b': {} }]]);
  const text = partsOf(replaced, replacements).join('');
  expect(text).toBe(definitionJson(replaced, replacements));
  expect(text).toContain('"paths":{"/b":{}},"x-a":1e400,"x-b":{"c":9007199254740993,');
  expect(text).toContain('"f":{"g":1e400}');
  expect(text).toContain('"x-list":[{},"b"]}');
});

test('no part is a large share of a large document', () => {
  const definition = largeDocument(50, 50);
  const parts = partsOf(definition);
  expect(JSON.parse(parts.join(''))).toEqual(definition);
  const longest = Math.max(...parts.map((part) => part.length));
  expect(longest).toBeLessThan(parts.join('').length / 20);
});
