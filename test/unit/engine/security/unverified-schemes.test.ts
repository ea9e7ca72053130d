/** Warnings of schemes that nothing verifies, and of roles that may not be asked for. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { unverifiedSchemes } from '../../../../src/engine/security/security-schemes';
import { valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'unverified-schemes.cases.txt');

const documentWith = (security: string) =>
  parseApiDocument(
    'shop.yaml',
    `
openapi: 3.1.2
info: { title: Shop, version: '1' }
paths: { /a: { get: { operationId: a, security: ${security}, responses: { '200': { description: Fine } } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    token: { type: http, scheme: Bearer }
    cert: { type: mutualTLS }
`,
  );

test.each(
  valuesOf<[security: string, messages: string[]]>(
    cases,
    'what is required, and what is said of it',
  ),
)('V38 %s', (security, messages) => {
  const document = documentWith(security);
  const found = unverifiedSchemes(document, { apiKey: true, bearer: true });
  expect(found.map(({ message }) => message)).toEqual(messages);
});
