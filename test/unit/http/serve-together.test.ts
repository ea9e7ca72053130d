/** When requests are served that arrive in one turn of the event loop. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turnEnds } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { serveTogether } from '../../../src/http/serve-together';

const served: string[] = [];

beforeEach(() => {
  served.length = 0;
});

const listener = serveTogether(({ url = '' }, response) => {
  expect(response).toBeInstanceOf(ServerResponse);
  served.push(url);
  if (url === '/more') arrive('/behind more');
});

const arrive = (url: string): void => {
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  listener(request, new ServerResponse(request));
};

test('all of a turn are served at its end, in the order of their arrival', async () => {
  for (const url of ['/1', '/2', '/3']) arrive(url);
  expect(served).toEqual([]);
  await turnEnds();
  expect(served).toEqual(['/1', '/2', '/3']);
});

test('each turn by itself', async () => {
  arrive('/1');
  await turnEnds();
  arrive('/2');
  expect(served).toEqual(['/1']);
  await turnEnds();
  expect(served).toEqual(['/1', '/2']);
});

test('what arrives while others are served is served in the next turn', async () => {
  for (const url of ['/1', '/more', '/3']) arrive(url);
  await turnEnds();
  expect(served).toEqual(['/1', '/more', '/3']);
  await turnEnds();
  expect(served).toEqual(['/1', '/more', '/3', '/behind more']);
});

test('many are served before the turn ends, all of them in their order', async () => {
  const urls = Array.from({ length: 70 }, (_, index) => `/${index}`);
  for (const url of urls.slice(0, 63)) arrive(url);
  await Promise.resolve();
  expect(served).toEqual([]);
  arrive('/63');
  await Promise.resolve();
  expect(served).toEqual(urls.slice(0, 64));
  for (const url of urls.slice(64)) arrive(url);
  await turnEnds();
  expect(served).toEqual(urls);
});
