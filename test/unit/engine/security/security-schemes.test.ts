import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'security-schemes.cases.txt');

const schemesIn = (components: string) =>
  parseApiDocument(
    'shop.yaml',
    `{ openapi: 3.0.3, info: { title: Shop, version: '1' }, paths: {}${components} }`,
  ).securitySchemes;

test.each(
  valuesOf<
    [
      title: string,
      components: string,
      expected: readonly unknown[] | readonly (readonly string[])[],
    ]
  >(cases, 'schemes'),
)('security schemes by name: %s', (_, components, expected) => {
  const schemes = schemesIn(components);
  expect([...schemes].map(([name, { type }]) => [name, type])).toEqual(expected);
});
