/** When requests are served that arrive in one turn of the event loop. */

import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turnEnds } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { batchRequests } from '../../../../src/server/http/request-batching';

const served: string[] = [];

beforeEach(() => {
  served.length = 0;
});

let now = 0;

const listener = batchRequests(
  ({ url = '' }, response) => {
    expect(response).toBeInstanceOf(ServerResponse);
    served.push(url);
    if (url === '/more') arrive('/behind more');
  },
  undefined,
  () => now,
  () => 0,
);

const arrive = (url: string, headers: IncomingHttpHeaders = {}): void => {
  const request = Object.assign(new IncomingMessage(new Socket()), { url, headers });
  listener(request, new ServerResponse(request));
};

/** What is done when a callback of the event loop has returned. */
const callbackReturns = (): Promise<void> => Promise.resolve();

test('the first of a turn is served when it has been read, the others at the end in the order of their arrival', async () => {
  arrive('/1');
  expect(served).toEqual([]);
  await callbackReturns();
  expect(served).toEqual(['/1']);
  for (const url of ['/2', '/3']) arrive(url);
  await callbackReturns();
  expect(served).toEqual(['/1']);
  await turnEnds();
  expect(served).toEqual(['/1', '/2', '/3']);
  arrive('/4');
  await callbackReturns();
  expect(served).toEqual(['/1', '/2', '/3', '/4']);
});

test.each<IncomingHttpHeaders>([{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }])(
  'the first of a turn waits for its body until the end of the turn: %j',
  async (headers) => {
    arrive('/1', headers);
    arrive('/2');
    await callbackReturns();
    expect(served).toEqual([]);
    await turnEnds();
    expect(served).toEqual(['/1', '/2']);
  },
);

test('what arrives while others are served is served, too', async () => {
  for (const url of ['/1', '/more', '/3']) arrive(url);
  await callbackReturns();
  expect(served).toEqual(['/1', '/more', '/3']);
  await turnEnds();
  expect(served).toEqual(['/1', '/more', '/3', '/behind more']);
});

test('many are served before the turn ends, all of them in their order', async () => {
  const urls = Array.from({ length: 70 }, (_, index) => `/${index}`);
  arrive('/0');
  await callbackReturns();
  for (const url of urls.slice(1, 64)) arrive(url);
  await callbackReturns();
  expect(served).toEqual(['/0']);
  arrive('/64');
  await callbackReturns();
  expect(served).toEqual(urls.slice(0, 65));
  for (const url of urls.slice(65)) arrive(url);
  await turnEnds();
  expect(served).toEqual(urls);
});

test('where a turn takes long fewer are begun together, and the event loop looks for more in between', async () => {
  const urls = Array.from({ length: 50 }, (_, index) => `/${index}`);
  arrive('/first');
  await callbackReturns();
  for (const url of urls) arrive(url);
  now += 51;
  await turnEnds();
  expect(served).toEqual(['/first', ...urls.slice(0, 32)]);
  await turnEnds();
  expect(served).toEqual(['/first', ...urls]);
});
