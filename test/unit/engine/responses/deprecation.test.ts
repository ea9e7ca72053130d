/** Deprecated operations, as a caller over HTTP sees them: Deprecation (RFC 9745), Sunset (RFC 8594) and Link. */

import { beforeAll, expect, test } from '@jest/globals';
import { HttpError } from '../../../../src/http/http-error';
import { type ServedOrigin, serveDocument } from '../../../support/serve-document';

const dates = `deprecated: true, x-deprecated-since: 2026-01-01, x-sunset: '2027-06-30T12:00:00+02:00'`;
const docs = `externalDocs: { url: 'https://a.example/older?a="b"' }`;
const header = '{ required: true, schema: { type: string } }';
const fine = `'200': { description: Fine }`;
const documented = `{ description: Fine, headers: { deprecation: ${header}, Sunset: ${header} } }`;
const responses = `{ '200': ${documented}, '400': ${documented}, '404': { description: Nowhere } }`;

const text = `
openapi: 3.0.3
info: { title: A, version: '1' }
security: [{ key: [] }]
paths:
  /old:
    get: { operationId: old, ${dates}, ${docs}, responses: ${responses}, parameters: [{ name: n, in: query, schema: { type: integer, format: int32 } }] }
  /mocked: { get: { ${dates}, ${docs}, responses: ${responses} } }
  /broken: { get: { ${dates}, ${docs}, responses: { '200': { $ref: '#/nowhere' } } } }
  /own: { get: { operationId: own, ${dates}, ${docs}, responses: { ${fine} } } }
  /new: { get: { ${docs}, responses: { ${fine} } } }
  /undated: { get: { deprecated: true, ${docs}, responses: { ${fine} } } }
  /until: { get: { deprecated: true, x-deprecated-since: 2026-02-30, x-sunset: 2027-06-30, ${docs}, responses: { ${fine} } } }
  /alone: { get: { x-deprecated-since: 2026-01-01, x-sunset: 2027-06-30, responses: { ${fine} } } }
  /relative: { get: { ${dates}, externalDocs: { url: older.html }, responses: { ${fine} } } }
  /undeclared: { get: { operationId: undeclared, deprecated: true, x-deprecated-since: 2026-01-01, responses: ${responses} } }
components: { securitySchemes: { key: { type: apiKey, in: query, name: key } } }
`;

let served: ServedOrigin;

beforeAll(async () => {
  const principal = { username: undefined, subject: 'a', scopes: [], credentialId: 'a' };
  served = await serveDocument({
    document: text,
    mocks: true,
    securityHandlers: { apiKey: () => principal },
    handlers: {
      old({ query, fail }) {
        if (query['n'] === 4) throw fail(404);
        if (query['n'] === 5) throw new Error('broken');
        if (query['n'] === 6) throw new HttpError(429, 'too-many-requests', 'Later');
        return { status: 200 };
      },
      own: () => ({
        status: 200,
        headers: { deprecation: '@7', SUNSET: 'never', link: ['</a>; rel="next"', '</b>'] },
      }),
      undeclared: () => ({ status: 200 }),
    },
  });
});

const since = '@1767225600';
const sunset = 'Wed, 30 Jun 2027 10:00:00 GMT';
const url = '<https://a.example/older?a=%22b%22>';
const links = `${url}; rel="deprecation", ${url}; rel="sunset"`;

test.each<[path: string, status: number, ...headers: readonly (string | null)[]]>([
  ['/old?key=1', 200, since, sunset, links],
  ['/old?key=1&n=a', 400, since, sunset, links],
  ['/old', 401, since, sunset, links],
  ['/old?key=1&n=4', 404, since, sunset, links],
  ['/old?key=1&n=6', 429, since, sunset, links],
  ['/old?key=1&n=5', 500, since, sunset, links],
  ['/mocked?key=1', 200, since, sunset, links],
  ['/broken?key=1', 501, since, sunset, links],
  // A handler's own headers win, and its links stand beside those of the document.
  ['/own?key=1', 200, '@7', 'never', `</a>; rel="next", </b>, ${links}`],
  ['/new?key=1', 200, null, null, null],
  ['/undated?key=1', 200, null, null, null],
  ['/until?key=1', 200, null, 'Wed, 30 Jun 2027 00:00:00 GMT', `${url}; rel="sunset"`],
  ['/alone?key=1', 200, null, 'Wed, 30 Jun 2027 00:00:00 GMT', null],
  ['/relative?key=1', 200, since, sunset, null],
  // A declared header that no date stands for is required as any other.
  ['/undeclared?key=1', 500, since, null, null],
])('%s: %i with %s, %s and %s', async (path, ...want) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await fetch(served.url + path, { method });
    const sent = ['Deprecation', 'Sunset', 'Link'].map((name) => headers.get(name));
    expect([status, ...sent]).toEqual(want);
  }
});
