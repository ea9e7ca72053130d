/** Warnings of schemes that nothing verifies, and of roles that may not be asked for. */

import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { unverifiedSchemes } from '../../../../src/engine/security/security-schemes';

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

const unread =
  'Client certificates are not read here. Let a proxy ask for them, and require a scheme of another kind.';

test.each<[security: string, messages: string[]]>([
  ['[{ key: [] }]', []],
  ['[{ token: [admin] }]', []],
  [
    '[{ key: [admin, boss] }, { key: [admin] }]',
    [
      'The roles admin, boss of the scheme key (apiKey) are asked only of callers whose scopes are known, and keys and passwords may have none. Require a bearer token for them.',
    ],
  ],
  [
    '[{ cert: [] }]',
    [
      `The scheme cert (mutualTLS) is not verified: operations that require it always answer 401. ${unread}`,
    ],
  ],
  [
    '[{ cert: [] }, { key: [] }]',
    [`The scheme cert (mutualTLS) is not verified: it cannot grant access. ${unread}`],
  ],
])('V38 %s', (security, messages) => {
  const document = documentWith(security);
  const found = unverifiedSchemes(document, { apiKey: true, bearer: true });
  expect(found.map(({ message }) => message)).toEqual(messages);
});
