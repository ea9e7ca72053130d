/** Requests that reach no operation get the form of error that the document has, and placeholders of addresses reach no caller. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/package';
import { openApiFetch } from '../../../src/package/fetch';
import { hostNames, startHost } from './start-host';

const problem = 'application/problem+json: { schema: { $ref: "#/components/schemas/Problem" } }';
const own = 'application/json: { schema: { $ref: "#/components/schemas/Own" } }';

const documentOf = (errors: readonly string[], more = '') =>
  parseApiDocument(
    'things.yaml',
    `
openapi: 3.1.0
info: { title: Things, version: '1' }
servers: [{ url: /v1 }]
${more}
paths:
  /things:
    get:
      operationId: listThings
      security: [{ login: [] }]
      responses:
        '204': { description: None }
        ${errors.map((content, at) => `'${404 + at}': { description: Nothing of status ${404 + at}, headers: { X-Why: { required: true, schema: { type: string } } }, content: { ${content} } }`).join('\n        ')}
components:
  securitySchemes: { login: { type: oauth2, flows: { authorizationCode: { authorizationUrl: '{auth_url}/authorize', tokenUrl: '{auth_url}/token', scopes: {} } } } }
  schemas:
    Problem: { type: object, required: [title, status], properties: { title: { type: string }, status: { type: integer }, detail: { type: string } } }
    Own: { type: object, required: [message], additionalProperties: false, properties: { message: { type: string } } }
`,
  );

const ofProblem = {
  type: 'about:blank',
  title: 'Not Found',
  status: 404,
  detail: 'No operation has this path',
};
const ofDefault = { code: 404, type: 'route-not-found', message: 'No operation has this path' };
const log = { error: () => undefined };

const options = { log };
const cases: readonly (readonly [
  what: string,
  errors: readonly string[],
  more: string,
  mediaType: string,
  body: object,
])[] = [
  ['problem details alone', [problem, problem], '', 'application/problem+json', ofProblem],
  [
    'problem details in several schemas',
    [
      problem,
      'application/problem+json: { schema: { type: object, properties: { title: { type: string } } } }',
    ],
    '',
    'application/problem+json',
    ofProblem,
  ],
  ['errors of its own', [own], '', 'application/json', { message: ofDefault.message }],
  ['several forms', [own, problem], '', 'application/json', ofDefault],
  ['no form', [], '', 'application/json', ofDefault],
  ['bytes', ['application/pdf: {}'], '', 'application/json', ofDefault],
  [
    'a response for them',
    [problem],
    `x-fallback-response: { description: Other, content: { ${own.replaceAll('"', "'")} } }`,
    'application/json',
    { message: ofDefault.message },
  ],
];

describe.each(hostNames)('%s', (host) => {
  describe.each(cases)('a document of %s', (_what, errors, more, mediaType, body) => {
    const { ask } = startHost(host, () => ({
      document: documentOf(errors, more),
      handlers: { listThings: () => ({ status: 204 }) },
      options,
    }));

    test('has an answer for unknown paths', async () => {
      const response = await ask('/v1/nothing');
      const { status, headers } = response;
      expect([status, headers.get('content-type')]).toEqual([404, mediaType]);
      expect(await response.json()).toEqual(body);
    });
  });

  describe('with placeholders', () => {
    const { ask } = startHost(host, () => ({
      document: documentOf([]),
      handlers: { listThings: () => ({ status: 204 }) },
      options,
    }));

    test('no caller sees one', async () => {
      const response = await ask('/v1/things');
      const challenge = String(response.headers.get('www-authenticate'));
      const { message } = JSON.parse(await response.text());
      expect([response.status, challenge, message]).toEqual([
        401,
        'Bearer realm="things"',
        'Credentials are required. Send a bearer token',
      ]);
    });
  });
});

test('an address whose placeholder has a value is shown', async () => {
  const document = documentOf([]);
  const filled = parseApiDocument(
    'things.yaml',
    document.text.replaceAll('{auth_url}', 'https://login.example'),
  );
  const answer = await openApiFetch(filled, {}, {}, { log });
  const { headers } = await answer(new Request('http://things.test/v1/things'));
  expect(headers.get('www-authenticate')).toContain('token_uri="https://login.example/token"');
});
