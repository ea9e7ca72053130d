import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
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

const written = Object.entries<
  Omit<Case, 'upstream'> & { readonly upstream: Parameters<typeof respond> }
>(parse(readFileSync(join(__dirname, 'proxy.cases.yaml'), 'utf8')));

const cases: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    written.map(([name, one]) => [name, { ...one, upstream: respond(...one.upstream) }]),
  ),
  'an upload of 5 MB': post('application/octet-stream', Buffer.alloc(5_000_000, 'x')),
  'JSON of 5 MB': {
    ...post('application/json', large),
    blocked: 413,
    unchecked: ['request: The body is larger than 1048576 bytes'],
  },
  'a response that is nested deeply': {
    ask: 'GET /v1/things',
    upstream: things('['.repeat(500_000)),
    blocked: 502,
    marks: ['response body-malformed: Expected a well-formed body of application/json'],
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
