/** Security handlers by the name of a scheme: they go before those by its kind, and a name that is none is refused. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument, type SecurityHandlers } from '../../../src/package';
import { openApiFetch } from '../../../src/package/fetch';

const document = parseApiDocument(
  'things.yaml',
  `
openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /customer: { get: { operationId: customer, security: [{ customerKey: [] }], responses: { '200': { description: Who, content: { text/plain: {} } } } } }
  /admin: { get: { operationId: admin, security: [{ adminKey: [] }], responses: { '200': { description: Who, content: { text/plain: {} } } } } }
  /token: { get: { operationId: token, security: [{ login: [read] }], responses: { '200': { description: Who, content: { text/plain: {} } } } } }
  /password: { get: { operationId: password, security: [{ people: [] }], responses: { '200': { description: Who, content: { text/plain: {} } } } } }
  /signed: { get: { operationId: signed, security: [{ signature: [] }], responses: { '200': { description: Who, content: { text/plain: {} } } } } }
components:
  securitySchemes:
    customerKey: { type: apiKey, in: header, name: x-key }
    adminKey: { type: apiKey, in: header, name: x-admin }
    login: { type: oauth2, flows: { clientCredentials: { tokenUrl: /t, scopes: { read: Read } } } }
    people: { type: http, scheme: Basic }
    signature: { type: http, scheme: Signed }
`,
);

const named = (subject: string) => ({
  username: undefined,
  subject,
  scopes: ['read'],
  credentialId: 'c',
});

const answer = ({ principal }: { readonly principal?: { readonly subject: string } }) => ({
  status: 200,
  body: principal?.subject,
});
const names = ['customer', 'admin', 'token', 'password', 'signed'];
const handlers = Object.fromEntries(names.map((name) => [name, answer]));

const open = async (securityHandlers: SecurityHandlers) => {
  const errors: string[] = [];
  const log = { error: (_fields: object, message: string) => void errors.push(message) };
  return { ask: await openApiFetch(document, handlers, securityHandlers, { log }), errors };
};

const byKind: SecurityHandlers = {
  apiKey: (key, _request, scheme) => named(`apiKey ${key} ${scheme}`),
  bearer: (key) => named(`bearer ${key}`),
  basic: ({ username, password }) => named(`basic ${username} ${password}`),
  http: { signed: (text) => named(`signed ${text}`) },
};
const byName: SecurityHandlers = {
  adminKey: (key: string, _request, scheme) => named(`by name ${key} ${scheme}`),
  login: (key: string) => named(`by name ${key}`),
  people: ({ username }: { readonly username: string }) => named(`by name ${username}`),
  signature: (text: string) => named(`by name ${text}`),
};

const authorization = (value: string) => ({ authorization: value });
const basic = authorization(`Basic ${Buffer.from('ann:pw').toString('base64')}`);
const requests: readonly (readonly [path: string, headers: Record<string, string>])[] = [
  ['customer', { 'x-key': 'k' }],
  ['admin', { 'x-admin': 'k' }],
  ['token', authorization('Bearer t')],
  ['password', basic],
  ['signed', authorization('Signed s')],
];

describe.each<[string, SecurityHandlers, readonly string[]]>([
  [
    'by kind',
    byKind,
    ['apiKey k customerKey', 'apiKey k adminKey', 'bearer t', 'basic ann pw', 'signed s'],
  ],
  [
    'by kind and name',
    { ...byKind, ...byName },
    ['apiKey k customerKey', 'by name k adminKey', 'by name t', 'by name ann', 'by name s'],
  ],
])('%s', (_how, securityHandlers, callers) => {
  test.each(requests.map(([path, headers], at) => [path, headers, callers[at]] as const))(
    '%s',
    async (path, headers, caller) => {
      const { ask, errors } = await open(securityHandlers);
      const response = await ask(new Request(`http://things.test/${path}`, { headers }));
      expect([response.status, await response.text(), errors]).toEqual([200, caller, []]);
    },
  );
});

test('by name alone, other schemes refuse, and the log tells of them', async () => {
  const { ask, errors } = await open({ adminKey: (key: string) => named(key) });
  const headers = { 'x-key': 'k', 'x-admin': 'k' };
  const statusOf = async (path: string) =>
    (await ask(new Request(`http://things.test/${path}`, { headers }))).status;
  expect([await statusOf('customer'), await statusOf('admin')]).toEqual([401, 200]);
  const told = errors.map((line) => /The scheme (\w+)/.exec(line)?.[1]);
  expect(told).toEqual(['customerKey', 'login', 'people', 'signature']);
});

test.each<[string, SecurityHandlers, RegExp]>([
  [
    'a slip',
    { adminKye: () => undefined },
    /^There is no security scheme adminKye\. Did you mean adminKey\?$/,
  ],
  ['a slip in a kind', { bearrer: () => undefined }, /Did you mean bearer\?$/],
  [
    'another name',
    { somethingElse: () => undefined },
    /^There is no security scheme somethingElse\. There are apiKey, .*, customerKey, .*\.$/,
  ],
])('%s is refused', async (_what, securityHandlers, message) => {
  await expect(open(securityHandlers)).rejects.toThrow(message);
});
