import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { securitySchemesOf } from '../../../../src/engine/security/security-schemes';

const schemesIn = async (components: string) =>
  securitySchemesOf(
    await parseApiDocument(
      'shop.yaml',
      `{ openapi: 3.0.3, info: { title: Shop, version: '1' }, paths: {}${components} }`,
    ),
  );

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
])('security schemes by name: %s', async (_, components, expected) => {
  const schemes = await schemesIn(components);
  expect([...schemes].map(([name, { type }]) => [name, type])).toEqual(expected);
});
