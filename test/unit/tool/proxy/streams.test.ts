/** Contents of items through the proxy: they pass while they come, and each item is held to the document. */

import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';
import { modes, type Passage, proxyServer, violationsOf } from '../../../../src/tool/proxy/proxy';
import { listen } from '../../../support/listen';

const document = parseApiDocument(
  'streams.yaml',
  `
openapi: 3.2.0
info: { title: Streams, version: '1' }
paths:
  /events:
    get:
      operationId: watch
      responses: { '200': { description: Events, content: { text/event-stream: { itemSchema: { $ref: '#/components/schemas/Event' } } } } }
  /readings:
    post:
      operationId: add
      requestBody: { required: true, content: { application/jsonl: { itemSchema: { type: integer, maximum: 9 } } } }
      responses: { '204': { description: Added }, '400': { description: Wrong } }
components: { schemas: { Event: { type: object, properties: { event: { enum: [a, b] } } } } }
`,
);

const errors: string[] = [];
afterEach(() => expect(errors.splice(0)).toEqual([]));

/** Starts a proxy before an upstream; `passed` resolves to the first passage that is over. */
const proxyBefore = async (mode: (typeof modes)[number], upstream: RequestListener) => {
  let resolve: (passage: Passage) => void = () => undefined;
  const passed = new Promise<Passage>((done) => {
    resolve = done;
  });
  const options = {
    upstream: new URL(await listen(createServer(upstream))),
    timeout: 60,
    mode,
    onPassed: (passage: Passage) => resolve(passage),
    onError: (message: string) => void errors.push(message),
  };
  return { origin: await listen(proxyServer(document, options)), passed };
};

const told = (passage: Passage): string[] =>
  violationsOf(passage).map(({ on, rule, place }) => `${on} ${rule} ${place}`);

describe.each(modes)('mode %s', (mode) => {
  test('an event passes before the next one is there, and each is checked', async () => {
    let next: () => void = () => undefined;
    const { origin, passed } = await proxyBefore(mode, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('event: a\ndata: 1\n\n');
      next = () => response.end('event: c\ndata: 2\n\n');
    });
    const sending = httpRequest(`${origin}/events`).end();
    const [response] = await once(sending, 'response');
    const [first] = await once(response, 'data');
    expect(String(first)).toBe('event: a\ndata: 1\n\n');
    next();
    expect(await text(response)).toBe('event: c\ndata: 2\n\n');
    expect(told(await passed)).toEqual(['response body-invalid /*/event']);
  });

  test('items of a request are checked, those behind the first as well', async () => {
    let received: string | undefined;
    const { origin, passed } = await proxyBefore(mode, async (request, response) => {
      received = await text(request);
      response.writeHead(204).end();
    });
    const headers = { 'Content-Type': 'application/jsonl' };
    const { status } = await fetch(`${origin}/readings`, {
      method: 'POST',
      headers,
      body: '1\n10\n',
    });
    expect(told(await passed)).toEqual(['request invalid-body body /1']);
    expect([status, received]).toEqual(mode === 'block' ? [400, undefined] : [204, '1\n10\n']);
  });

  test('right items pass', async () => {
    const { origin, passed } = await proxyBefore(mode, async (request, response) => {
      await text(request);
      response.writeHead(204).end();
    });
    const headers = { 'Content-Type': 'application/jsonl' };
    const { status } = await fetch(`${origin}/readings`, {
      method: 'POST',
      headers,
      body: '1\n9\n',
    });
    expect([status, told(await passed)]).toEqual([204, []]);
  });
});
