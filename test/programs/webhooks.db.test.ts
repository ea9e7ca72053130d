/** Webhooks of test/third-service, whose server is killed while it sends: none is lost, and what is sent twice has one id. */

import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { rootFolder } from '../../scripts/root-folder';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { askAt } from '../support/ask';
import { useNewDatabases } from '../support/new-database';
import { startNode } from '../support/process';
import { tsxOptions } from '../support/run-script';
import { environmentOf } from '../support/service-folder';
import { startWebhookReceiver } from '../support/webhook-receiver';

const newDatabase = useNewDatabases();
let url = '';
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;

beforeAll(async () => {
  url = await newDatabase();
  receiver = await startWebhookReceiver();
});

/** Starts the server of the library. */
const start = async () => {
  const started = startNode([...tsxOptions, 'src/main.ts'], {
    cwd: rootFolder,
    env: {
      ...{ PATH: process.env['PATH'], PORT: '0', PASSWORD_COST: '10', LOG_LEVEL: 'error' },
      ...{ ...environmentOf(join(rootFolder, 'test/third-service')), DATABASE_URL: url },
      LIBRARY_WEBHOOK: receiver.url,
    },
  });
  const origin = await started.printed(/^library: (http:\/\/\S+)\/library \(/m, 60_000);
  const send = async (target: string, body: object): Promise<number> => {
    const asked = { key: 'special-key', type: 'application/json', body: JSON.stringify(body) };
    return (await askAt(origin)(target, asked)).status;
  };
  return { ...started, send };
};

const inDatabase = async <Result>(work: (db: Database) => Promise<Result>): Promise<Result> => {
  const db = await openDatabase(url);
  try {
    return await work(db);
  } finally {
    await closeDatabase(db);
  }
};

/** Ends the lease that a killed process left, as time would. */
const endLease = () => inDatabase(async ({ knex }) => knex('jobs').update({ held_until: 0 }));

const readers = () =>
  receiver.received.map(({ body }) => (body as { data: { reader: string } }).data.reader);

test('it sends again what it had begun to send, and what it had no time for', async () => {
  receiver.does = 'hang';
  const first = await start();
  const book = { id: 7, title: 'Ulysses', authors: [], copies: 9 };
  expect(await first.send('POST /library/books', book)).toBe(200);
  expect(await first.send('POST /library/loans', { book: 7, reader: 'Ann' })).toBe(204);
  await until('the first message is on its way', () => receiver.received[0]);
  expect(await first.send('POST /library/loans', { book: 7, reader: 'Ben' })).toBe(204);
  expect(await first.end('SIGKILL')).toBeNull();
  expect(readers()).toEqual(['Ann']);

  await endLease();
  receiver.does = 'fail';
  const second = await start();
  await until('both failed', () => new Set(readers()).size === 2);
  expect(await second.end('SIGKILL')).toBeNull();

  await endLease();
  receiver.does = 'answer';
  const third = await start();
  const left = () => inDatabase(async ({ knex }) => knex('library_message').select('id'));
  await until('all arrived', async () => (await left()).length === 0);
  expect(await third.end('SIGTERM')).toBe(0);
  for (const reader of ['Ann', 'Ben']) {
    const sent = receiver.received.filter((_, at) => readers()[at] === reader);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent).toEqual(sent.map(() => sent[0]));
  }
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
}, 180_000);
