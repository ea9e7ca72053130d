/** Mocks that answer, behind the proxy, for operations that the upstream does not have. */

import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';
import { type Passage, type ProxyOptions, proxyServer } from '../../../../src/tool/proxy/proxy';
import { type Ask, askAt } from '../../../support/ask';
import { listen } from '../../../support/listen';

const document = parseApiDocument(
  'things.yaml',
  readFileSync(join(__dirname, 'mock-missing.yaml'), 'utf8'),
  {},
);

const refuse =
  (status: number, type: string, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': type }).end(body);
  };
const unknown = refuse(404, 'text/html', 'Cannot GET');
const unwritten = refuse(501, 'text/plain', 'Not implemented');
const gone = refuse(404, 'application/json', '{"message":"Gone"}');
const otherForm = refuse(404, 'application/json', '{"error":"Cannot GET"}');

describe.each(['annotate', 'block', 'report'] as const)('in the mode %s', (mode) => {
  let answer: RequestListener = unknown;
  let upstream = '';
  let passages: Passage[] = [];
  beforeAll(async () => {
    upstream = await listen(createServer((request, response) => answer(request, response)));
  });
  beforeEach(() => {
    passages = [];
  });
  const open = async (more: Partial<ProxyOptions> = {}): Promise<Ask> => {
    const server = proxyServer(document, {
      upstream: new URL(upstream),
      mode,
      timeout: 60,
      mockMissing: true,
      onPassed: (passage) => passages.push(passage),
      onError(message) {
        throw new Error(message);
      },
      ...more,
    });
    return askAt(await listen(server));
  };
  const asked = async (ask: Ask, request: string, init: Parameters<Ask>[1] = {}) => {
    const { status, text, headers } = await ask(request, init);
    return [status, text, headers['x-mock']];
  };

  test('mocks answer what the upstream does not know, and remember', async () => {
    const ask = await open();
    const body = { headers: { 'Content-Type': 'application/json' }, body: '{"name":"Nut"}' };
    answer = unknown;
    expect(await asked(ask, 'POST /v1/things', body)).toEqual([
      201,
      '{"id":4,"name":"Nut"}',
      'true',
    ]);
    expect(passages[0]).toMatchObject({
      answer: undefined,
      problem: 'A mock answered: the upstream server does not have the operation (404)',
    });
    answer = unwritten;
    expect(await asked(ask, 'GET /v1/things/4')).toEqual([200, '{"id":4,"name":"Nut"}', 'true']);
    answer = otherForm;
    expect(await asked(ask, 'GET /v1/things/4')).toEqual([200, '{"id":4,"name":"Nut"}', 'true']);
    const prefer = { headers: { Prefer: 'code=404' } };
    expect((await asked(ask, 'GET /v1/things/4', prefer))[0]).toBe(404);
  });

  test('what the document describes, or does not have, passes', async () => {
    const ask = await open();
    answer = gone;
    expect(await asked(ask, 'GET /v1/things/4')).toEqual([404, '{"message":"Gone"}', undefined]);
    answer = refuse(200, 'application/json', '[]');
    expect(await asked(ask, 'GET /v1/things')).toEqual([200, '[]', undefined]);
    answer = unknown;
    const [status, , mock] = await asked(ask, 'GET /v1/others');
    expect([status, mock]).toEqual([404, undefined]);
  });

  test('a body that comes after the answer reaches the mock as a whole', async () => {
    answer = (request, response) => {
      response.writeHead(501).flushHeaders();
      request.resume().once('end', () => response.end());
    };
    const ask = await open();
    const name = 'n'.repeat(300_000);
    const headers = { 'Content-Type': 'application/json' };
    const sent = await ask('POST /v1/things', { headers, body: JSON.stringify({ name }) });
    expect([sent.status, sent.headers['x-mock'], JSON.parse(sent.text).name.length]).toEqual([
      201,
      'true',
      300_000,
    ]);
  });

  test('without the option the upstream answers alone', async () => {
    answer = unwritten;
    const [status, , mock] = await asked(await open({ mockMissing: false }), 'GET /v1/things/4');
    expect([status, mock]).toEqual([mode === 'block' ? 502 : 501, undefined]);
  });
});
