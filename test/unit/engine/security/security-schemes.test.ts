import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';

const schemesIn = (components: string) =>
  parseApiDocument(
    'shop.yaml',
    `{ openapi: 3.0.3, info: { title: Shop, version: '1' }, paths: {}${components} }`,
  ).securitySchemes;

test.each([
  ['none declared', '', []],
  [
    'a reference is followed',
    ", components: { securitySchemes: { a: { $ref: '#/components/securitySchemes/b' }, b: { type: apiKey, in: header, name: k } } }",
    [
      ['a', 'apiKey'],
      ['b', 'apiKey'],
    ],
  ],
  [
    'a reference that leads nowhere is left out',
    ", components: { securitySchemes: { a: { $ref: '#/components/securitySchemes/z' }, b: { type: http, scheme: basic } } }",
    [['b', 'http']],
  ],
])('security schemes by name: %s', (_, components, expected) => {
  const schemes = schemesIn(components);
  expect([...schemes].map(([name, { type }]) => [name, type])).toEqual(expected);
});
