/** Deprecated operations, as a caller over HTTP sees them: Deprecation (RFC 9745), Sunset (RFC 8594) and Link. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { HttpError } from '../../../../src/http/http-error';
import { type ServedOrigin, serveDocument } from '../../../support/serve-document';

const required = { required: true, schema: { type: 'string' } };
const dates = {
  deprecated: true,
  'x-deprecated-since': '2026-01-01',
  'x-sunset': '2027-06-30T12:00:00+02:00',
  externalDocs: { url: 'https://a.example/older?a="b"' },
};
const parameters = [{ name: 'n', in: 'query', schema: { type: 'integer' } }];
const security = [{ key: [] }];
const responses = {
  200: { description: 'Fine', headers: { Deprecation: required, Sunset: required } },
  400: { description: 'Wrong', headers: { deprecation: required } },
  404: { description: 'Nowhere' },
};
const operation = (operationId: string, fields: object) => ({
  get: { operationId, parameters, security, responses, ...fields },
});

let served: ServedOrigin;

beforeAll(async () => {
  const plain = { responses: { 200: { description: 'Fine' } } };
  const broken = { responses: { 200: { $ref: '#/nowhere' } } };
  served = await serveDocument({
    document: {
      paths: {
        '/old': operation('old', dates),
        '/mocked': operation('mocked', dates),
        '/broken': operation('broken', { ...dates, ...broken }),
        '/own': operation('own', { ...dates, ...plain }),
        '/new': operation('new', plain),
        '/undated': operation('undated', {
          ...plain,
          deprecated: true,
          externalDocs: dates.externalDocs,
        }),
        '/since': operation('since', { ...dates, 'x-sunset': 'soon' }),
        '/until': operation('until', { ...dates, ...plain, 'x-deprecated-since': '2026-02-30' }),
        '/alone': operation('alone', {
          ...plain,
          'x-deprecated-since': '2026-01-01',
          'x-sunset': '2027-06-30',
        }),
        '/relative': operation('relative', { ...dates, externalDocs: { url: 'older.html' } }),
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
    },
    mocks: true,
    securityHandlers: {
      apiKey: () => ({ username: undefined, subject: 'a', scopes: [], credentialId: 'a' }),
    },
    handlers: {
      ...Object.fromEntries(
        ['new', 'undated', 'since', 'until', 'alone', 'relative'].map((name) => [
          name,
          () => ({ status: 200, headers: { Sunset: undefined } }),
        ]),
      ),
      old: ({ query, fail }) => {
        if (Number(query['n']) === 4) throw fail(404);
        if (Number(query['n']) === 5) throw new Error('broken');
        if (Number(query['n']) === 6) throw new HttpError(429, 'too-many-requests', 'Later');
        return { status: 200 };
      },
      own: () => ({
        status: 200,
        headers: {
          deprecation: '@7',
          SUNSET: 'never',
          link: ['</a>; rel="next"', '</b>; rel="prev"'],
        },
      }),
    },
  });
});

const headersOf = async (path: string, init?: RequestInit) => {
  const { status, headers } = await fetch(served.url + path, init);
  return [status, ...['Deprecation', 'Sunset', 'Link'].map((name) => headers.get(name))];
};

const deprecation = '@1767225600';
const sunset = 'Wed, 30 Jun 2027 10:00:00 GMT';
const url = '<https://a.example/older?a=%22b%22>';
const links = `${url}; rel="deprecation", ${url}; rel="sunset"`;

describe('each response carries the dates', () => {
  test.each([
    ['/old?key=1', 200],
    ['/old?key=1&n=a', 400],
    ['/old', 401],
    ['/old?key=1&n=4', 404],
    ['/old?key=1&n=6', 429],
    ['/old?key=1&n=5', 500],
    ['/mocked?key=1', 200],
    ['/broken?key=1', 501],
  ])('%s: %i', async (path, status) => {
    const want = [status, deprecation, sunset, links];
    expect(await headersOf(path)).toEqual(want);
    expect(await headersOf(path, { method: 'HEAD' })).toEqual(want);
  });
});

test("a handler's own headers win, whatever their case, and its links stand beside those of the document", async () => {
  expect(await headersOf('/own?key=1')).toEqual([
    ...[200, '@7', 'never', `</a>; rel="next", </b>; rel="prev", ${links}`],
  ]);
});

test.each([
  ['/new', null, null, null],
  ['/undated', null, null, null],
  ['/until', null, sunset, `${url}; rel="sunset"`],
  ['/alone', null, 'Wed, 30 Jun 2027 00:00:00 GMT', null],
  ['/relative', deprecation, sunset, null],
])('%s has what its document says: %s, %s, %s', async (path, ...want) => {
  expect(await headersOf(`${path}?key=1`)).toEqual([200, ...want]);
});

test('a header that no date stands for is required as any other', async () => {
  expect(await headersOf('/since?key=1')).toEqual([
    ...[500, deprecation, null, `${url}; rel="deprecation"`],
  ]);
});
