/** The order in which requests are served that arrive in one turn of the event loop, and the refusal of those that wait too long. */

import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turnEnds } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { controlledDelay, requestQueue } from '../../../../src/server/http/request-queue';
import type { Load } from '../../../../src/storage/connections/load';

const served: string[] = [];
let responses: ServerResponse[] = [];
let shed = 0;
let now = 0;
let load: () => Load;

const newListener = () =>
  requestQueue({
    probePaths: new Set(['/ops/livez']),
    onShed: () => {
      shed += 1;
    },
    watch: (_part, read) => {
      load = read;
    },
    clock: () => now,
    idleTime: () => 0,
  })(({ url = '' }, response) => {
    expect(response).toBeInstanceOf(ServerResponse);
    served.push(url);
    if (url === '/more') arrive('/behind more');
  });

let listener = newListener();

beforeEach(() => {
  served.length = 0;
  responses = [];
  shed = 0;
  listener = newListener();
});

/** Serves what a test has left in the queue. */
afterEach(async () => {
  for (let turn = 0; turn < 20; turn += 1) await turnEnds();
});

const arrive = (url: string, headers: IncomingHttpHeaders = {}): void => {
  const request = Object.assign(new IncomingMessage(new Socket()), { url, headers });
  const response = new ServerResponse(request);
  responses.push(response);
  listener(request, response);
};

/** Resolves when a callback of the event loop has returned. */
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

test('tells how many wait, and since when', async () => {
  expect(load()).toEqual({ waiting: 0, oldestSeconds: 0 });
  arrive('/1', { 'content-length': '2' });
  now += 1500;
  arrive('/2');
  expect(load()).toEqual({ waiting: 2, oldestSeconds: 1.5 });
  await turnEnds();
  expect(load()).toEqual({ waiting: 0, oldestSeconds: 0 });
});

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

/** Lets a turn end that took so many milliseconds. */
const turnTakes = async (milliseconds: number): Promise<void> => {
  now += milliseconds;
  await turnEnds();
};

/** Fills the queue after a long turn, and has more of them until requests have waited for more than a second. */
const overload = async (urls: readonly string[]): Promise<void> => {
  arrive('/first');
  await turnTakes(300);
  for (const url of urls) arrive(url);
  for (let turn = 0; turn < 6; turn += 1) await turnTakes(300);
};

const manyUrls = Array.from({ length: 300 }, (_, index) => `/${index}`);

test('requests that have waited too long in a standing queue get 503; those behind them are served', async () => {
  await overload(manyUrls);
  const refused = responses.filter(({ statusCode }) => statusCode === 503);
  expect([served.length + shed, refused.length]).toEqual([301, shed]);
  expect(shed).toBeGreaterThan(100);
  served.length = 0;
  arrive('/later');
  await turnEnds();
  expect(served).toEqual(['/later']);
});

test.each(['/ops/livez', '/ops/livez?verbose', 'http://127.0.0.1/ops/livez'])(
  'a probe is served at once under load, and never refused: %s',
  async (url) => {
    await overload([...manyUrls.slice(0, 200), url, ...manyUrls.slice(200)]);
    expect(served).toContain(url);
    for (const other of manyUrls) arrive(other);
    await turnTakes(300);
    served.length = 0;
    arrive(url);
    expect(served).toEqual([url]);
  },
);

test('what waits goes to the listener that the layer was applied to last', async () => {
  const queue = requestQueue({ clock: () => now, idleTime: () => 0 });
  listener = queue(({ url = '' }) => served.push(`old ${url}`));
  arrive('/1', { 'content-length': '2' });
  queue(({ url = '' }) => served.push(`new ${url}`));
  await turnEnds();
  expect(served).toEqual(['new /1']);
});

const bounds = { interval: 100, target: 20 };

// At which time a request was dequeued that had waited for how long; then since when one waits that is asked about.
test.each<[title: string, turns: string, at: number, since: number, late: boolean]>([
  ['none is late where none had to wait', '0:0', 500, 0, false],
  ['nor where all waited for the target', '0:20 150:20', 200, 0, false],
  ['a burst may wait for longer', '0:90 99:180', 99, 0, false],
  ['a queue stands after an interval', '0:90 100:180', 100, 79, true],
  ['what has waited for the target is in time', '0:90 100:180', 100, 80, false],
  ['one that waited for less tells that the queue moves', '0:90 50:20 100:90', 149, 0, false],
  ['the next interval begins with the next that waits for more', '0:90 50:20 100:90', 200, 0, true],
  ['an empty queue does not stand', '0:90 150:90 160:0', 300, 0, false],
])('%s', (_title, turns, at, since, late) => {
  let now = 0;
  const delay = controlledDelay(() => now, bounds);
  for (const turn of turns.split(' ')) {
    const [time = 0, waited = 0] = turn.split(':').map(Number);
    now = time;
    delay.observe(waited);
  }
  now = at;
  expect(delay.isLate(since)).toBe(late);
});
