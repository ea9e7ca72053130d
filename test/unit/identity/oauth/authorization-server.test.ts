/** The scopes of a document, and the form that users see while passwords cannot be checked. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { HttpError } from '../../../../src/http/http-error';
import {
  builtInAuthorizationServer,
  deadFlowAddresses,
  documentScopes,
} from '../../../../src/identity/oauth/authorization-server';
import type { EndpointRequest } from '../../../../src/identity/oauth/endpoint';
import { fieldsOf } from '../../../support/browser';
import { valuesOf } from '../../../support/text-cases';
import { useTemporaryDatabase } from '../../storage/temporary-database';

const cases = join(__dirname, 'authorization-server.cases.txt');

const file = useTemporaryDatabase();

const document = parseApiDocument(
  'shop.yaml',
  `openapi: 3.0.3
info: { title: Shop, version: '1' }
paths: {}
components:
  securitySchemes:
    auth:
      type: oauth2
      flows: { implicit: { authorizationUrl: 'https://x.example/', scopes: { read: Read } } }
`,
);

const request: EndpointRequest = {
  method: 'GET',
  headers: { host: 'localhost' },
  address: '192.0.2.1',
  secure: false,
  query: new URLSearchParams({
    response_type: 'token',
    scope: 'read',
    client_id: 'docs',
    redirect_uri: 'http://localhost:8080/docs/oauth2-redirect.html',
  }).toString(),
  form: undefined,
};

/** A server whose password check fails, and the answer to a form that asks for it. */
const signInWhere = async (error: Error) => {
  const server = builtInAuthorizationServer(document, {
    config: { authUrl: undefined, port: 8080, tokenTtlSeconds: 60, clientOrigins: [] },
    log: { info: () => undefined },
    origin: 'http://localhost:8080',
    db: file.db,
    checkPassword: () => Promise.reject(error),
    securityHandlers: {},
    clock: () => 0,
  });
  if (server === undefined) throw new Error('There is no authorization server');
  const page = await server.authorize(request);
  const [cookie = ''] = page.headers['Set-Cookie'] ?? [];
  const fields = { ...fieldsOf(String(page.body)), username: 'ann', password: 'secret of ann' };
  return server.authorize({
    ...request,
    method: 'POST',
    headers: { ...request.headers, cookie: cookie.split(';')[0] },
    form: new URLSearchParams({ ...fields, action: 'sign-in' }).toString(),
  });
};

const headers = { 'Retry-After': '5' };

test('the form says when to come back, and keeps the name alone', async () => {
  const answer = await signInWhere(new HttpError(503, 'unavailable', 'busy', { headers }));
  expect([answer.status, answer.headers['Retry-After']]).toEqual([503, '5']);
  const html = String(answer.body);
  expect(html).toContain('The server is busy.');
  expect(fieldsOf(html)).toMatchObject({ username: 'ann', password: '' });
  expect(html).not.toContain('secret of ann');
});

test('any other failure is not for the form to tell', async () => {
  await expect(signInWhere(new Error('broken'))).rejects.toThrow('broken');
});

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

test.each<[string, string, string, Record<string, string | undefined>, string[], string[]?]>([
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
  [
    'roles are no user’s to grant',
    implicit('{ a: A }', 'token: { type: http, scheme: bearer }, '),
    '[{ auth: [a], token: [admin] }]',
    { a: 'A' },
    ['a'],
    ['a', 'admin'],
  ],
  ['none of a scheme without flows', '{ auth: { type: oauth2 } }', '[]', {}, []],
])('%s', (_, schemes, security, known, required, all = Object.keys(known)) => {
  const scopes = documentScopes(documentWith(schemes, security));
  expect({ ...scopes, known: Object.fromEntries(scopes.known) }).toEqual({ known, required, all });
});

test.each(
  valuesOf<[string, string, boolean, readonly string[]]>(
    cases,
    'addresses, and what is said of them',
  ),
)('addresses that lead nowhere: %s and %s', (authorizationUrl, tokenUrl, isServed, expected) => {
  const shop = parseApiDocument(
    'shop.yaml',
    `openapi: 3.0.3
info: { title: Shop, version: '1' }
servers: [{ url: /shop }]
paths: { /own/token: { post: { operationId: own, responses: { '200': { description: A token } } } } }
components:
  securitySchemes:
    auth: { type: oauth2, flows: { authorizationCode: {
      scopes: {}, authorizationUrl: '${authorizationUrl}', tokenUrl: '${tokenUrl}' } } }
`,
  );
  const found = deadFlowAddresses(shop, 'https://shop.example/shop', isServed).map(shop.locate);
  expect(found.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual(
    expected,
  );
});

test('devices get no codes, and the author is told what they use', () => {
  const shop = parseApiDocument(
    'shop.yaml',
    `openapi: 3.2.0
info: { title: Shop, version: '1' }
servers: [{ url: /shop }]
components:
  securitySchemes:
    auth: { type: oauth2, flows: { deviceAuthorization: { scopes: {},
      deviceAuthorizationUrl: '{auth_url}/oauth/device_authorization', tokenUrl: '{auth_url}/oauth/token' } } }
`,
  );
  expect(deadFlowAddresses(shop, 'https://shop.example/shop', true)).toMatchObject([
    {
      message:
        'Nothing is served at the deviceAuthorizationUrl of the flow deviceAuthorization. Devices use authorizationCode, or tokens by the admin program.',
    },
  ]);
});
