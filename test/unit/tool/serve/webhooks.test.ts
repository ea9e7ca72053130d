/** A handler sends a callback: kept with the item in one transaction, signed, and received as the document has it. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { listen } from '../../../support/listen';
import { useServing } from './serving';

const { folder, write, serve } = useServing();

const document = readFileSync(join(__dirname, 'webhooks.yaml'), 'utf8');

const secret = 'whsec_c2lnbmluZyBrZXk=';
const handlers = `
const { createHmac } = require('node:crypto');
exports.collections = { ships: { schema: 'Ship' }, deliveries: { schema: 'Delivery' } };
const key = Buffer.from('${secret}'.slice('whsec_'.length), 'base64');
const signed = ({ headers, body }) => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update([headers['webhook-id'], timestamp, body].join('.')).digest('base64');
  return { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,' + signature };
};
exports.make = ({ deliveries, transaction, webhook }) => ({
  async addShip({ body: { url, name } }) {
    const { ship, message } = await transaction(async ({ ships, deliveries }) => {
      const ship = await ships.insert({ name });
      const message = webhook('addShip.arrived', url, { header: { 'webhook-id': 'msg_' + ship.read().id }, body: ship });
      await deliveries.insert(message);
      return { ship, message };
    });
    if (name !== 'Later') await fetch(message.url, { ...message, headers: signed(message) });
    return { status: 201, body: ship };
  },
  listDeliveries: () => ({ status: 200, body: deliveries.list() }),
});
`;

test('a callback is written, kept, signed and sent by its handler', async () => {
  const received: { request: IncomingMessage; body: string }[] = [];
  const receiver = await listen(
    createServer(async (request, response) => {
      received.push({ request, body: await textOf(request) });
      response.writeHead(204).end();
    }),
  );
  write({ 'api.yaml': document, 'handlers/harbour.js': handlers });
  const { ask, err } = await serve({ sources: [folder('api.yaml')], handlers: folder('handlers') });
  const add = (name: string) => ask('POST /ships', { body: { name, url: `${receiver}/hook?a=1` } });

  expect(await add('Gull')).toMatchObject({ status: 201, text: '{"id":1,"name":"Gull"}' });
  const [first] = received;
  if (first === undefined) throw new Error('Nothing was received');
  const { request, body } = first;
  expect([request.method, request.url, request.headers['content-type'], body]).toEqual([
    ...['POST', '/hook?a=1', 'application/json', '{"id":1,"name":"Gull"}'],
  ]);
  // As receivers verify it (Standard Webhooks).
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = request.headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  expect(
    timingSafeEqual(wanted, Buffer.from(String(signature).slice('v1,'.length), 'base64')),
  ).toBe(true);

  // What the document does not allow is a fault of the handler: nothing is kept, and the caller gets no reason.
  const { status, text } = await add('A very long name');
  expect([status, JSON.parse(text).message]).toEqual([
    500,
    'The server failed to answer this request',
  ]);
  expect(err()).toContain(
    "The webhook addShip.arrived cannot be written: The request's body/name must be at most 10 characters long",
  );
  await add('Later');
  const kept = JSON.parse((await ask('GET /deliveries')).text);
  expect(kept.map(({ body, url }: { body: string; url: string }) => [body, url])).toEqual([
    ['{"id":1,"name":"Gull"}', `${receiver}/hook?a=1`],
    ['{"id":2,"name":"Later"}', `${receiver}/hook?a=1`],
  ]);
  expect(received).toHaveLength(1);
});
