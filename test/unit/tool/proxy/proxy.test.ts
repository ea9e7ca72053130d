import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';
import {
  type Passage,
  type ProxyOptions,
  proxyServer,
  violationsOf,
} from '../../../../src/tool/proxy/proxy';
import { type Asked, askAt } from '../../../support/ask';
import { listen } from '../../../support/listen';

const document = parseApiDocument(
  'things.yaml',
  readFileSync(join(__dirname, 'proxy.yaml'), 'utf8'),
);

let answer: RequestListener;
let upstream = '';
let seen: IncomingMessage | undefined;
let passages: Passage[] = [];
const errors: string[] = [];

beforeAll(async () => {
  upstream = await listen(
    createServer((request, response) => {
      seen = request;
      answer(request, response);
    }),
  );
});

afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
  passages = [];
  seen = undefined;
});

/** Starts a proxy before the upstream; gives its origin. */
const proxy = (mode: ProxyOptions['mode'], path = '', origin = upstream): Promise<string> =>
  listen(
    proxyServer(document, {
      upstream: new URL(origin + path),
      timeout: 60,
      mode,
      onPassed: (passage) => passages.push(passage),
      onError: (message) => errors.push(message),
    }),
  );

/** Makes an upstream that answers with this. */
const respond =
  (
    status: number,
    headers: Record<string, string | string[]> = {},
    body: string | Buffer = '',
  ): RequestListener =>
  async (request, response) => {
    await text(request);
    response.writeHead(status, headers).end(body);
  };

const json = { 'Content-Type': 'application/json' };
const key = { 'X-Key': 'k' };
const things = (
  list: string | Buffer,
  headers: Record<string, string | string[]> = {},
): RequestListener => respond(200, { ...json, ...headers }, list);
const added = respond(201);
const big = '9007199254740993';
const large = `[{"id":${big}}${' '.repeat(5_000_000)}]`;
const tooLarge = ['response: The body is longer than 1 MiB'];
const wrongId =
  "response body-invalid: Expected the body's /*/id as its schema says: it must be an integer";

/** A request, what the upstream answers, and what each mode makes of it. */
interface Case {
  readonly ask: string;
  readonly asked?: Asked;
  readonly upstream: RequestListener;
  /** The violations that annotate names. */
  readonly marks?: readonly string[];
  readonly unchecked?: readonly string[];
  /** The status in mode block where the request is refused, or 502 where the response is. */
  readonly blocked?: number;
}

const post = (
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = key,
): Pick<Case, 'ask' | 'asked' | 'upstream'> => ({
  ask: 'POST /v1/things',
  asked: { type, body, headers },
  upstream: added,
});

const cases: Readonly<Record<string, Case>> = {
  'a right exchange': { ask: 'GET /v1/things?limit=3', upstream: things(`[{"id":${big}}]`) },
  'lines of cookies': {
    ask: 'GET /v1/things',
    upstream: things('[]', { 'Set-Cookie': ['a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT', 'b=2'] }),
  },
  'a wrong line of cookies': {
    ask: 'GET /v1/things',
    upstream: things('[]', { 'Set-Cookie': ['a=1', 'B=2'] }),
    marks: [
      'response header-invalid: Expected the header Set-Cookie/* as declared: it must match the pattern ^[a-z]=',
    ],
    blocked: 502,
  },
  'OPTIONS, which no operation has': {
    ask: 'OPTIONS /v1/things',
    upstream: respond(204, { Allow: 'GET' }),
  },
  QUERY: {
    ask: 'QUERY /v1/things',
    asked: { type: 'application/json', body: '{"name":"a"}' },
    upstream: things(`[{"id":${big}}]`),
  },
  'a QUERY without Content-Type': {
    ask: 'QUERY /v1/things',
    upstream: things('[]'),
    blocked: 400,
    marks: [
      'request malformed-request: QUERY needs a Content-Type. The body must be one of application/json',
    ],
  },
  COPY: { ask: 'COPY /v1/things', upstream: respond(204) },
  HEAD: { ask: 'HEAD /v1/things', upstream: things('') },
  'a redirect': {
    ask: 'GET /v1/things',
    upstream: respond(302, { ...json, Location: '/v2' }, '{}'),
  },
  'a form': post('application/x-www-form-urlencoded', `id=${big}&name=a`),
  'a bearer token': post('application/json', '{"id":1}', { Authorization: 'Bearer abc.d' }),
  'a part that was asked for': {
    ask: 'GET /v1/things',
    asked: { headers: { Range: 'bytes=0-3' } },
    upstream: respond(206, { ...json, 'Content-Range': 'bytes 0-3/99' }, '[{"i'),
  },
  'a part that is not there': {
    ask: 'QUERY /v1/things',
    asked: { type: 'application/json', body: '{"name":"a"}', headers: { Range: 'bytes=900-' } },
    upstream: respond(416, { ...json, 'Content-Range': 'bytes */9' }, '{}'),
  },
  'a condition that does not hold': {
    ...post('application/json', '{"id":1}', { ...key, 'If-Match': '"a"' }),
    upstream: respond(412),
  },
  'a part that nobody asked for': {
    ask: 'QUERY /v1/things',
    asked: { type: 'application/json', body: '{"name":"a"}' },
    upstream: respond(206, { ...json, 'Content-Range': 'bytes 0-3/99' }, '[{"i'),
    blocked: 502,
    marks: ['response undeclared-status: Expected a declared status: 200; seen: 206'],
  },
  'a response to a condition': { ...post('application/json', '{"id":1}'), upstream: respond(304) },
  'an undeclared path': {
    ask: 'GET /v1/other',
    upstream: respond(404),
    blocked: 404,
    marks: ['request route-not-found: No operation has this path'],
  },
  'a path beside the base path': {
    ask: 'GET /v1x',
    upstream: respond(404),
    blocked: 404,
    marks: ['request route-not-found: No operation has this path'],
  },
  'an undeclared method': {
    ask: 'DELETE /v1/things',
    upstream: respond(405),
    blocked: 405,
    marks: ['request method-not-allowed: The path does not have this method'],
  },
  'a wrong parameter': {
    ask: 'GET /v1/things?limit=20',
    upstream: things('[]'),
    blocked: 400,
    marks: ['request invalid-parameter: query limit must be at most 10'],
  },
  'an Accept that nothing fits': {
    ask: 'GET /v1/things',
    asked: { accept: 'image/png' },
    upstream: things('[]'),
    blocked: 406,
    marks: [
      'request not-acceptable: The Accept header must allow one of application/json, application/xml, application/jsonl',
    ],
  },
  'no credentials': {
    ...post('application/json', '{"id":1}', {}),
    blocked: 401,
    marks: [
      'request unauthenticated: Credentials are required. Send an API key in the header X-Key, or a bearer token',
    ],
  },
  'credentials of another form': {
    ...post('application/json', '{"id":1}', { Authorization: 'Bearer a b' }),
    blocked: 401,
    marks: [
      'request unauthenticated: The token is not valid. Send an API key in the header X-Key, or a bearer token',
    ],
  },
  'a wrong body': {
    ...post('application/json', '{"id":"secret","name":"too long"}'),
    blocked: 400,
    marks: [
      'request invalid-body: body /id must be an integer',
      'request invalid-body: body /name must be at most 5 characters long',
    ],
  },
  'a wrong body of XML': {
    ...post('application/xml', '<Thing><id>1</id><name>too long</name></Thing>'),
    blocked: 400,
    marks: ['request invalid-body: body /name must be at most 5 characters long'],
  },
  'an undeclared media type': {
    ...post('text/csv', 'id'),
    blocked: 415,
    marks: [
      'request unsupported-media-type: The body must be one of application/json, application/xml, application/x-www-form-urlencoded, application/octet-stream'.slice(
        0,
        200,
      ),
    ],
  },
  'an upload of 5 MB': post('application/octet-stream', Buffer.alloc(5_000_000, 'x')),
  'JSON of 5 MB': {
    ...post('application/json', large),
    blocked: 413,
    unchecked: ['request: The body is larger than 1048576 bytes'],
  },
  'an undeclared status': {
    ...post('application/json', '{"id":1}'),
    upstream: respond(418),
    blocked: 502,
    marks: ['response undeclared-status: Expected a declared status: 201, 400, 502; seen: 418'],
  },
  'a declared 502 of the upstream': {
    ...post('application/json', '{"id":1}'),
    upstream: respond(502, json, '{"message":"x"}'),
  },
  'a response of an undeclared media type': {
    ask: 'GET /v1/things',
    upstream: respond(200, { 'Content-Type': 'text/html' }, '<p>'),
    blocked: 502,
    marks: [
      'response undeclared-content-type: Expected application/json or application/xml or application/jsonl, as declared for 200; seen: text/html',
    ],
  },
  'a wrong header': {
    ask: 'GET /v1/things',
    upstream: things('[]', { 'X-Total': 'secret' }),
    blocked: 502,
    marks: [
      'response header-invalid: Expected the header X-Total as declared: it must be an integer',
    ],
  },
  'a response that is malformed': {
    ask: 'GET /v1/things',
    upstream: things('[secret'),
    blocked: 502,
    marks: ['response body-malformed: Expected a well-formed body of application/json'],
  },
  'a wrong response': {
    ask: 'GET /v1/things',
    upstream: things('[{"id":"1"},{"id":"2"}]'),
    blocked: 502,
    marks: [wrongId],
  },
  'a response that is nested deeply': {
    ask: 'GET /v1/things',
    upstream: things('['.repeat(500_000)),
    blocked: 502,
    marks: ['response body-malformed: Expected a well-formed body of application/json'],
  },
  'a wrong response of XML': {
    ask: 'GET /v1/things',
    blocked: 502,
    marks: [wrongId],
    upstream: respond(
      200,
      { 'Content-Type': 'application/xml' },
      '<things><Thing><id>x</id></Thing></things>',
    ),
  },
  'a response of XML that declares its encoding': {
    ask: 'GET /v1/things',
    upstream: respond(
      200,
      { 'Content-Type': 'application/xml' },
      Buffer.from(
        '<?xml version="1.0" encoding="ISO-8859-1"?><things><Thing><id>1</id><name>é</name></Thing></things>',
        'latin1',
      ),
    ),
  },
  'a wrong response that is compressed': {
    ask: 'GET /v1/things',
    blocked: 502,
    marks: [wrongId],
    upstream: respond(200, { ...json, 'Content-Encoding': 'gzip' }, gzipSync('[{"id":"1"}]')),
  },
  'a wrong response that is compressed twice': {
    ask: 'GET /v1/things',
    blocked: 502,
    marks: [wrongId],
    upstream: respond(
      200,
      { ...json, 'Content-Encoding': 'deflate , x-gzip' },
      gzipSync(deflateRawSync('[{"id":"1"}]')),
    ),
  },
  'a compressed response that is not whole': {
    ask: 'GET /v1/things',
    upstream: things(gzipSync('[{"id":1}]').subarray(0, 20), { 'Content-Encoding': 'gzip' }),
    unchecked: ['response: The body cannot be decoded from gzip: unexpected end of file'],
  },
  'a Content-Encoding that is not read': {
    ask: 'GET /v1/things',
    upstream: things('[]', { 'Content-Encoding': 'x-own' }),
    unchecked: ['response: The Content-Encoding is not supported'],
  },
  'a response of 5 MB': { ask: 'GET /v1/things', upstream: things(large), unchecked: tooLarge },
  'a response of 5 MB that says its length': {
    ask: 'GET /v1/things',
    upstream: things(large, { 'Content-Length': String(large.length) }),
    unchecked: tooLarge,
  },
};

test.each(Object.entries(cases))('%s', async (_name, one) => {
  const { ask, asked, marks = [], unchecked = [], blocked } = one;
  answer = one.upstream;
  const direct = await askAt(upstream)(ask, asked);
  const { date: _, ...sent } = direct.headers;

  const reported = await askAt(await proxy('report'))(ask, asked);
  expect(reported).toMatchObject({ status: direct.status, headers: sent });
  expect(reported.bytes.equals(direct.bytes)).toBe(true);
  expect(Object.keys(reported.headers).filter((name) => name.startsWith('x-spec'))).toEqual([]);
  const lines = violationsOf(passages[0] as Passage).map(({ on, rule, sentence }) =>
    `${on} ${rule}: ${sentence}`.slice(0, 200),
  );
  expect(lines).toEqual(marks);

  const annotated = await askAt(await proxy('annotate'))(ask, asked);
  expect(annotated).toMatchObject({ status: direct.status, headers: sent });
  expect(annotated.bytes.equals(direct.bytes)).toBe(true);
  expect(annotated.headers).toMatchObject({ 'x-spec-first-violations': String(marks.length) });
  expect(annotated.headers['x-spec-first-violation']).toBe(
    marks.length > 0 ? marks.join(', ') : undefined,
  );
  expect(annotated.headers['x-spec-first-unchecked']).toBe(unchecked[0]);

  seen = undefined;
  const guarded = await askAt(await proxy('block'))(ask, asked);
  expect(guarded.status).toBe(blocked ?? direct.status);
  if (blocked === undefined) expect(guarded.bytes.equals(direct.bytes)).toBe(true);
  expect(seen === undefined).toBe(blocked !== undefined && blocked !== 502);
});
