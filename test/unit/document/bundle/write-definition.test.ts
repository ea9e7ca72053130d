/** A definition is written in parts that make the same text as it does in one. */

import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  definitionJson,
  definitionJsonParts,
  definitionYamlParts,
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

test.each([
  ['JSON', definitionJsonParts, (text: string) => JSON.parse(text)],
  ['YAML', definitionYamlParts, (text: string) => parse(text)],
] as const)('%s: no part is a large share of a large document', (_name, partsIn, read) => {
  const definition = largeDocument(50, 50);
  const parts = [...partsIn(definition, new Map())];
  expect(read(parts.join(''))).toEqual(definition);
  const longest = Math.max(...parts.map((part) => part.length));
  expect(longest).toBeLessThan(parts.join('').length / 20);
});

test('YAML: texts of several lines, empty maps, numbers and replacements at every level', () => {
  const text = 'One\n\n  two\u2028three\n';
  const level = (inner: object) => ({ text, empty: {}, list: [{ text }], 'a: b': inner, n: 1 });
  const { definition } = parseApiDocument(
    'a.yaml',
    "openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\nx-a: { b: { c: 1e400, d: {} } }",
  );
  const whole = { ...definition, ...level(level(level(level({})))), 'x-none': undefined };
  const replaced = new Map<unknown, object>([[definition.paths, { '/b': { get: {} } }]]);
  const written = [...definitionYamlParts(whole, replaced)].join('');
  expect(parse(written)).toEqual({
    ...JSON.parse(JSON.stringify(whole)),
    paths: { '/b': { get: {} } },
    'x-a': { b: { c: Number.POSITIVE_INFINITY, d: {} } },
  });
  expect(written).toContain('\n    c: 1e400\n');
});
