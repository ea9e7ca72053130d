import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../../src/engine/document/document';
import { documentScopes } from '../../../../../src/server/identity/oauth/authorization-server';

const documentWith = (schemes: string, security: string) =>
  parseApiDocument(
    'shop.yaml',
    `openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /a:
    get:
      operationId: a
      security: ${security}
      responses: { '200': { description: ok } }
components:
  securitySchemes: ${schemes}
`,
  );

const implicit = (scopes: string, others = '') =>
  `{ ${others}auth: { type: oauth2, flows: { implicit: { authorizationUrl: 'https://x.example/', scopes: ${scopes} } } } }`;

test.each<[string, string, string, Record<string, string | undefined>, string[]]>([
  [
    'declared and required',
    implicit('{ read: Read things, write: "" }'),
    '[{ auth: [read] }]',
    { read: 'Read things', write: undefined },
    ['read'],
  ],
  [
    'required alone',
    implicit('{}'),
    '[{ auth: [b, a] }, { auth: [a] }]',
    { b: undefined, a: undefined },
    ['b', 'a'],
  ],
  ['none', '{ key: { type: apiKey, in: header, name: k } }', '[{ key: [] }]', {}, []],
  [
    'none that can be asked for',
    implicit('{ "a b": x, "é": x, ok: x }'),
    '[{ auth: ["a b"] }]',
    { ok: 'x' },
    [],
  ],
  [
    'those of sound schemes, where another refers to nothing',
    implicit('{ a: A }', "lost: { $ref: '#/components/securitySchemes/gone' }, "),
    '[]',
    { a: 'A' },
    [],
  ],
  ['none of a scheme without flows', '{ auth: { type: oauth2 } }', '[]', {}, []],
])('%s', (_, schemes, security, known, required) => {
  const scopes = documentScopes(documentWith(schemes, security));
  expect([[...scopes.known], scopes.required]).toEqual([Object.entries(known), required]);
});
