/** Handlers answer whatever their document declares, returned or thrown: R01, R03, R04, R06, R07 and R08. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { testServer } from '../../src/contract';
import type { HandlerResponse } from '../../src/engine/responses/response';
import type { Answered } from '../support/ask';
import { type ServedOrigin, serveDocument } from '../support/serve-document';
import { ask, errorOf } from './ask';

const integer = { type: 'integer', format: 'int32' };
const taken = {
  type: 'object',
  required: ['existingId'],
  xml: { name: 'taken' },
  properties: { existingId: { type: 'integer', format: 'int64' } },
};
const problem = {
  type: 'object',
  required: ['title', 'field'],
  properties: { title: { type: 'string' }, status: integer, field: { type: 'string' } },
};
const error = {
  type: 'object',
  required: ['code', 'message'],
  xml: { name: 'error' },
  properties: { code: integer, type: { type: 'string' }, message: { type: 'string' } },
};
const location = { required: true, schema: { type: 'string', format: 'uri-reference' } };

const both = (schema: object) => ({
  'application/json': { schema },
  'application/xml': { schema },
});

/** A Responses Object with a response for each way to declare one. */
const responses = {
  200: { description: 'Fine', content: both(integer) },
  302: { description: 'Elsewhere', headers: { Location: location } },
  405: { description: 'Not so' },
  409: { description: 'Taken', content: both(taken) },
  422: { description: 'Unfit', content: { 'application/problem+json': { schema: problem } } },
  429: {
    description: 'Too often',
    headers: { 'Retry-After': { required: true, schema: integer } },
    content: both(error),
  },
  '4XX': { description: 'One of many', content: both(error) },
  default: { description: 'Something else', content: both(error) },
};

/** The responses of handlers, by operationId. */
const answers: Readonly<Record<string, HandlerResponse>> = {
  moved: { status: 302, headers: { Location: '/things/7' } },
  refused: { status: 405 },
  taken: { status: 409, body: { existingId: 9007199254740993n } },
  unfit: { status: 422, body: { title: 'Unfit', status: 422, field: 'name' } },
  often: { status: 429, body: { code: 1, message: 'Wait' }, headers: { 'Retry-After': 30 } },
  ranged: { status: 418, body: { code: 2, message: 'No coffee' } },
  other: { status: 507, body: { code: 3, message: 'Full' } },
  wrongBody: { status: 409, body: { existingId: 'seven' } },
  wrongHeader: {
    status: 429,
    body: { code: 1, message: 'Wait' },
    headers: { 'Retry-After': 'soon' },
  },
  noHeader: { status: 429, body: { code: 1, message: 'Wait' } },
};

/** The statuses that handlers fail with, by operationId. */
const failures: Readonly<Record<string, number>> = {
  failTaken: 409,
  failRanged: 418,
  failOther: 503,
  failMoved: 302,
  failOk: 200,
};

const parameters = [{ name: 'thrown', in: 'query', schema: { type: 'boolean' } }];

const serve = (validateResponses: boolean): Promise<ServedOrigin> =>
  serveDocument({
    document: {
      paths: Object.fromEntries(
        [...Object.keys(answers), ...Object.keys(failures)].map((operationId) => [
          `/${operationId}`,
          { get: { operationId, parameters, responses } },
        ]),
      ),
    },
    handlers: Object.fromEntries([
      ...Object.entries(answers).map(([operationId, { status, ...content }]) => [
        operationId,
        ({
          query,
          fail,
        }: {
          query: { thrown?: boolean };
          fail: (...given: unknown[]) => Error;
        }) => {
          if (query.thrown && status >= 400) throw fail(status, content);
          return { status, ...content };
        },
      ]),
      ...Object.entries(failures).map(([operationId, status]) => [
        operationId,
        ({ fail }: { fail: (status: number) => Error }) => {
          throw fail(status);
        },
      ]),
    ]),
    validateResponses,
  });

let checked: ServedOrigin;
let unchecked: ServedOrigin;
beforeAll(async () => {
  [checked, unchecked] = await Promise.all([serve(true), serve(false)]);
});

const logged = ({ errors }: ServedOrigin): readonly string[] =>
  errors.map((fields) => String((fields as { err?: { message?: unknown } }).err?.message));

/** Returns the compared parts: status, media type, body and the headers that matter. */
const told = ({ status, headers, text: body }: Answered) => ({
  status,
  type: String(headers['content-type']).replace(/;.*/, ''),
  body: body.replace(/^<\?xml.*\n/, ''),
});

const json = 'application/json';
const xml = 'application/xml';

describe('a declared answer', () => {
  const cases: readonly [
    name: string,
    accept: string,
    status: number,
    type: string,
    body: string,
  ][] = [
    ['taken', json, 409, json, '{"existingId":9007199254740993}'],
    ['taken', xml, 409, xml, '<taken><existingId>9007199254740993</existingId></taken>'],
    [
      ...(['unfit', json, 422, 'application/problem+json'] as const),
      '{"title":"Unfit","status":422,"field":"name"}',
    ],
    ['often', json, 429, json, '{"code":1,"message":"Wait"}'],
    ['often', xml, 429, xml, '<error><code>1</code><message>Wait</message></error>'],
    ['ranged', json, 418, json, '{"code":2,"message":"No coffee"}'],
    ['ranged', xml, 418, xml, '<error><code>2</code><message>No coffee</message></error>'],
    ['other', json, 507, json, '{"code":3,"message":"Full"}'],
    ['other', xml, 507, xml, '<error><code>3</code><message>Full</message></error>'],
  ];

  describe.each(['', '?thrown=true'])('returned or thrown: %j', (query) => {
    test.each(cases)('%s as %s', async (name, accept, status, type, body) => {
      const response = await ask(checked.url, `/${name}${query}`, { headers: { Accept: accept } });
      expect(told(response)).toEqual({ status, type, body });
    });

    test('carries its declared headers', async () => {
      const { headers } = await ask(checked.url, `/often${query}`);
      expect(headers).toMatchObject({ 'retry-after': '30', vary: 'Accept' });
    });

    test('with 405 names the methods of the path', async () => {
      const { status, headers, text: body } = await ask(checked.url, `/refused${query}`);
      expect([status, headers['allow'], body]).toEqual([405, 'GET, HEAD, OPTIONS', '']);
    });

    test.each([
      ['wrongBody', "The response's body/existingId must be an integer"],
      ['wrongHeader', "The response's header Retry-After must be an integer"],
      ['noHeader', 'The response lacks the header Retry-After'],
    ])('that does not fit is a fault of the server: %s', async (name, message) => {
      const before = checked.errors.length;
      const response = await ask(checked.url, `/${name}${query}`);
      expect(response.status).toBe(500);
      expect(logged(checked).slice(before)).toEqual([expect.stringContaining(message)]);
    });

    test.each([
      ['wrongBody', 409],
      ['wrongHeader', 429],
      ['noHeader', 429],
    ])('is not checked where responses are not: %s', async (name, status) => {
      const response = await ask(unchecked.url, `/${name}${query}`);
      expect(response.status).toBe(status);
    });
  });

  test('may be a redirect', async () => {
    const { status, headers, text: body } = await ask(checked.url, '/moved');
    expect([status, headers['location'], body]).toEqual([302, '/things/7', '']);
  });
});

describe('fail(status)', () => {
  test.each([
    ['failRanged', 418, "I'm a Teapot"],
    ['failOther', 503, 'Service Unavailable'],
  ])(
    '%s has a sentence of its own: its description speaks of many errors',
    async (name, status, message) => {
      const response = await ask(checked.url, `/${name}`);
      expect([response.status, errorOf(response)]).toEqual([
        status,
        { code: status, type: 'declared', message },
      ]);
    },
  );

  test('has the description of the exact status', async () => {
    const response = await ask(checked.url, '/failTaken');
    expect([response.status, errorOf(response).message]).toEqual([409, 'Taken']);
  });

  test.each([
    ['failMoved', 'failMoved fails with 302, which its document does not declare as a failure'],
    ['failOk', 'failOk fails with 200, which its document does not declare as a failure'],
  ])('takes failures alone: %s', async (name, message) => {
    const before = checked.errors.length;
    expect((await ask(checked.url, `/${name}`)).status).toBe(500);
    expect(logged(checked).slice(before)).toEqual([message]);
  });
});

test('a test of the contract finds nothing wrong with such answers', async () => {
  const only = ['moved', 'refused', 'taken', 'unfit', 'often', 'ranged'];
  const { document, url } = checked;
  const { failures: found, requests } = await testServer({ document, url, only, seed: 1 });
  expect(found).toEqual([]);
  expect(requests).toBeGreaterThan(50);
});
