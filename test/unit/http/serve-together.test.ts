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

test('the first of a turn is served at once, the others at its end in the order of their arrival', async () => {
  for (const url of ['/1', '/2', '/3']) arrive(url);
  expect(served).toEqual(['/1']);
  await turnEnds();
  expect(served).toEqual(['/1', '/2', '/3']);
});

test('each turn has a first', async () => {
  arrive('/1');
  await turnEnds();
  arrive('/2');
  expect(served).toEqual(['/1', '/2']);
  await turnEnds();
  expect(served).toEqual(['/1', '/2']);
});

test('what arrives while others are served is served, too', async () => {
  for (const url of ['/1', '/more', '/3']) arrive(url);
  await turnEnds();
  expect(served).toEqual(['/1', '/more', '/behind more', '/3']);
  await turnEnds();
  expect(served).toHaveLength(4);
});

test('many are served before the turn ends, all of them in their order', async () => {
  const urls = Array.from({ length: 70 }, (_, index) => `/${index}`);
  for (const url of urls) arrive(url);
  expect(served).toEqual(urls.slice(0, 1 + 64));
  await turnEnds();
  expect(served).toEqual(urls);
});
