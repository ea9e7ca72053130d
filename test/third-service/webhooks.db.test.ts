/** Webhooks of the library: each arrives, whatever the receiver does meanwhile, and has one id however often it is sent. */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import request from 'supertest';
import { until } from '../../scripts/machine/until';
import { useTestService } from '../support/service-folder';
import { startWebhookReceiver } from '../support/webhook-receiver';

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
const replaced = (timeout = 10_000) => ({ url: receiver.url, timeout });

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
const service = useTestService(__dirname, 'library', () => ({ replace: replaced() }));
beforeAll(async () => {
  const book = { id: 7, title: 'Ulysses', authors: [], copies: 9 };
  const add = request(service().app).post('/library/books').set(service().as('demo'));
  await add.send(book).expect(200);
});

const messages = () => service().database('library_message');

/** Lets the time of the next attempt come; another year is far ahead. */
const makeDue = (year = 2020) => messages().update({ next_at: `${year}-01-01T00:00:00Z` });

const lend = (reader: string, book = 7) =>
  request(service().app).post('/library/loans').set(service().as('demo')).send({ book, reader });

beforeEach(async () => {
  receiver.does = 'answer';
  await messages().delete();
  receiver.received.length = 0;
});

test('a message is stored with the loan, or with neither', async () => {
  await lend('Ann').expect(204);
  await lend('Ann', 99).expect(404);
  await service().run('send');
  const data = { book: '7', reader: 'Ann' };
  const body = { type: 'book.lent', timestamp: expect.any(String), data };
  expect(receiver.received).toEqual([{ id: expect.stringMatching(/^[\da-f-]{36}$/), body }]);
  expect(await messages()).toEqual([]);
});

test('one that fails waits longer each time, and arrives under its id when the receiver is back', async () => {
  receiver.does = 'fail';
  await lend('Ben').expect(204);
  const waits: number[] = [];
  for (const attempts of [1, 2, 3, 4]) {
    await makeDue();
    const start = Date.now();
    await service().run('send');
    const [message, ...others] = await messages();
    expect([message.attempts, others]).toEqual([attempts, []]);
    waits.push(Math.floor((Date.parse(message.next_at) - start) / 1000));
  }
  expect(waits.every((wait, at) => wait >= 2 ** at && wait < 2 ** at * 2 + 5)).toBe(true);
  receiver.does = 'answer';
  await service().run('send');
  // It was not due.
  expect(receiver.received).toHaveLength(4);
  await makeDue();
  await service().run('send');
  expect(receiver.received).toHaveLength(5);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  expect(await messages()).toEqual([]);
});

test('one that hangs is given up in time, and holds back no other', async () => {
  await service().replace(replaced(1000));
  receiver.does = 'hang';
  await lend('Cy').expect(204);
  await service().run('send');
  expect(await messages().pluck('attempts')).toEqual([1]);
  await makeDue(2999);
  await service().replace(replaced());
  receiver.does = 'answer';
  await lend('Dee').expect(204);
  await service().run('send');
  expect(await messages().pluck('attempts')).toEqual([1]);
  await makeDue();
  await service().run('send');
  const [hung, other, again] = receiver.received;
  expect(receiver.received).toHaveLength(3);
  expect([again, hung?.id === other?.id]).toEqual([hung, false]);
});

test('one that is cut off by the end of the handlers is due at once', async () => {
  await service().replace(replaced());
  receiver.does = 'hang';
  await lend('Eve').expect(204);
  const turn = service().run('send');
  await until('it was sent', () => receiver.received[0]);
  await service().replace(replaced());
  await turn;
  expect(await messages().pluck('attempts')).toEqual([0]);
  receiver.does = 'answer';
  await service().run('send');
  expect(receiver.received[1]).toEqual(receiver.received[0]);
});
