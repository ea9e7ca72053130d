/** Who goes first while the server has more to do than it can, and who is refused. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { admission, type Rank } from '../../../../src/server/http/admission';
import { requestQueue } from '../../../../src/server/http/request-queue';

const refused: Rank[] = [];
const { rankOf, refuse } = admission({
  healthPaths: new Set(['/ops/livez']),
  credentialHeaders: () => ['authorization', 'api_key'],
  onRefused: (rank) => refused.push(rank),
});

beforeEach(() => {
  refused.length = 0;
});

const requestOf = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): IncomingMessage => Object.assign(new IncomingMessage(new Socket()), { method, url, headers });

test.each<[string, string, Readonly<Record<string, string>>, Rank]>([
  ['GET', '/ops/livez', {}, 'health'],
  ['GET', '/ops/livez?verbose', {}, 'health'],
  ['GET', 'http://127.0.0.1/ops/livez', {}, 'health'],
  ['GET', '/livez', {}, 'anonymous'],
  ['GET', '/pets', {}, 'anonymous'],
  ['POST', '/pets', {}, 'anonymous'],
  ['GET', '/pets', { api_key: 'k' }, 'authenticated'],
  ['HEAD', '/pets', { authorization: 'Bearer t' }, 'authenticated'],
  ['POST', '/pets', { authorization: 'Bearer t' }, 'change'],
  ['DELETE', '/pets/1', { api_key: 'k' }, 'change'],
])('%s %s with %j: %s', (method, url, headers, rank) => {
  expect(rankOf(requestOf(method, url, headers))).toBe(rank);
});

const key = { api_key: 'k' };
const kinds: Readonly<Record<Rank, () => IncomingMessage>> = {
  health: () => requestOf('GET', '/ops/livez'),
  change: () => requestOf('PUT', '/pets', key),
  authenticated: () => requestOf('GET', '/pets', key),
  anonymous: () => requestOf('GET', '/pets'),
};

const setUp = () => {
  let now = 0;
  const queue = requestQueue({ rankOf, refuse }, () => now);
  return {
    add(...added: Rank[]): void {
      for (const rank of added) {
        const request = kinds[rank]();
        queue.add(request, new ServerResponse(request));
      }
    },
    take: (most: number): Rank[] => queue.take(most).map(({ request }) => rankOf(request)),
    size: queue.size,
    at(time: number): void {
      now = time;
    },
  };
};

test('where all have their turn they have it as they came', () => {
  const { add, take, size } = setUp();
  add('anonymous', 'change', 'health');
  expect([take(3), size()]).toEqual([['anonymous', 'change', 'health'], 0]);
});

test('where some have to wait the higher ranks go first', () => {
  const { add, take } = setUp();
  add('anonymous', 'authenticated', 'change', 'anonymous', 'health');
  expect(take(2)).toEqual(['health', 'change']);
  add('change');
  expect(take(2)).toEqual(['change', 'authenticated']);
  expect(take(2)).toEqual(['anonymous', 'anonymous']);
});

test('who waits for too long in a line that stands is refused; higher ranks are not', () => {
  const { add, take, at, size } = setUp();
  add('anonymous', 'anonymous', 'change', 'change', 'health');
  expect(take(1)).toEqual(['health']);
  at(400);
  expect(take(1)).toEqual(['change']);
  at(600);
  expect(take(1)).toEqual(['change']);
  at(1500);
  add('anonymous', 'change', 'health');
  at(1600);
  expect(take(2)).toEqual(['health', 'change']);
  expect(refused).toEqual(['anonymous', 'anonymous']);
  expect(take(1)).toEqual(['anonymous']);
  expect([refused.length, size()]).toEqual([2, 0]);
});

test('health is not refused, however long it waits', () => {
  const { add, take, at } = setUp();
  add('health', 'health', 'health');
  at(1000);
  expect(take(1)).toEqual(['health']);
  at(60_000);
  expect(take(1)).toEqual(['health']);
  add('anonymous');
  expect(take(1)).toEqual(['health']);
  expect(refused).toEqual([]);
});
