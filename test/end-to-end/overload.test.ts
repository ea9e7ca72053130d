/** Responses of a server that gets more requests than it can serve. */

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type RunningServer, startServer } from '../../src/server/server';
import { issuePetToken } from '../support/access-token';
import { type NewDatabase, newDatabase } from '../support/new-database';
import { sendRaw } from '../support/raw-socket';
import { testConfig } from '../support/start';

/** Milliseconds that pass at each look at the clock of the queue. */
let step = 0;
let now = 0;
let database: NewDatabase;
let server: RunningServer;
let token = '';

beforeAll(async () => {
  database = await newDatabase();
  const config = testConfig({ DATABASE_URL: database.url, OPERATOR_PATH: '/ops' });
  const queueClock = (): number => {
    now += step;
    return now;
  };
  server = await startServer(config, { log: pino({ level: 'silent' }), queueClock });
  token = await issuePetToken(database.url);
});

afterAll(async () => {
  await server.stop();
  await database.remove();
});

beforeEach(() => {
  step = 0;
});

const head = (first: string, ...lines: string[]): string =>
  [`${first} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');

const pet = JSON.stringify({ name: 'Rex', photoUrls: [] });
const reads = 200;

/** Sends reads, then a change and a look at the server's health, all at once; gives the statuses of each. */
const flood = async () => {
  const change = head(
    'POST /petstore/pet',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${pet.length}`,
  );
  const requests = [
    head('GET /petstore/store/order/1').repeat(reads),
    change + pet,
    head('GET /ops/livez', 'Connection: close'),
  ];
  const { statuses, text } = await sendRaw(server.address, requests.join(''));
  const [changed, health] = statuses.slice(reads);
  return { read: statuses.slice(0, reads), changed, health, text };
};

const shedRequests = async (): Promise<number> => {
  const { text } = await sendRaw(server.address, head('GET /ops/metrics', 'Connection: close'));
  return Number(/^http_requests_shed_total (\d+)$/m.exec(text)?.[1]);
};

test('requests that come together are all served while none waits for long', async () => {
  const { read, changed, health } = await flood();
  expect([new Set(read), changed, health]).toEqual([new Set([200]), 200, 200]);
  expect(await shedRequests()).toBe(0);
});

test('requests are refused that have waited too long; health is served', async () => {
  step = 200;
  const { read, changed, health, text } = await flood();
  step = 0;
  const shed = [...read, changed].filter((status) => status !== 200 && status !== undefined);
  expect([new Set(shed), health]).toEqual([new Set([503]), 200]);
  const [, refusal = ''] = text.split(/(?=HTTP\/1\.1 503)/);
  expect(refusal).toMatch(/^Retry-After: 1\r$/m);
  expect(refusal).toContain('"code":503,"type":"unavailable","message":"The server is overloaded');
  expect(await shedRequests()).toBe(shed.length);
});

test('all are served again when the flood is over', async () => {
  const { read, changed, health } = await flood();
  expect([new Set(read), changed, health]).toEqual([new Set([200]), 200, 200]);
});
