/** Pages of other origins, as a browser lets them call the services. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser/browser';
import type { Visitor } from '../support/browser/visitor';
import { countItems } from '../support/stored-items';

/** A response as far as a script of the page sees it. */
interface Learnt {
  readonly status?: number;
  readonly body?: string;
  readonly limit?: string | null;
  readonly challenge?: string | null;
  /** The browser kept the answer to itself. */
  readonly refused?: true;
}

let elsewhere: Server;
const environment: Record<string, string> = {};

// A page at localhost is of another origin than the same page at 127.0.0.1.
const at = (host: string): string => `http://${host}:${(elsewhere.address() as AddressInfo).port}`;

beforeAll(async () => {
  const page = '<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">';
  elsewhere = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(page);
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  environment['CORS_ORIGINS'] = at('127.0.0.1');
});
// The services start after what stands above.
const story = useBrowser(environment);
afterAll(async () => {
  elsewhere.closeAllConnections();
  elsewhere.close();
  await once(elsewhere, 'close');
});

let visitor: Visitor;
beforeEach(async () => {
  visitor = await story().visit();
});

/** The messages of a browser that withholds a response. */
const keptBack = /blocked by CORS policy|net::ERR_FAILED/;

const openAt = async (host: string): Promise<Page> => {
  const page = await visitor.open(at(host));
  await visitor.expectFault(/^outside: /);
  return page;
};

const call = (page: Page, target: string, options: object = {}): Promise<Learnt> => {
  const url = JSON.stringify(`${story().services.origin}${target}`);
  return page.evaluate(`fetch(${url}, ${JSON.stringify(options)}).then(
    async (answer) => ({
      status: answer.status,
      body: await answer.text(),
      limit: answer.headers.get('X-Rate-Limit'),
      challenge: answer.headers.get('WWW-Authenticate'),
    }),
    () => ({ refused: true }),
  )`);
};

const addPet = (token: string): object => ({
  method: 'POST',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: '{"name": "Rex", "photoUrls": []}',
});

test('a page of a configured origin calls what it likes, and learns what it is told', async () => {
  const page = await openAt('127.0.0.1');
  const added = await call(page, '/petstore/pet', addPet(story().services.petToken));
  expect(added).toMatchObject({ status: 200, body: expect.stringContaining('"Rex"') });
  const { id } = JSON.parse(added.body ?? '');
  const headers = { Authorization: `Bearer ${story().services.petToken}` };
  expect(await call(page, `/petstore/pet/${id}`, { method: 'DELETE', headers })).toMatchObject({
    status: 200,
  });
  const login = '/petstore/user/login?username=demo&password=demo-password';
  expect(await call(page, login)).toMatchObject({ status: 200, limit: '5000' });
  expect(await call(page, '/petstore/pet', addPet('no-such-token'))).toMatchObject({
    status: 401,
    body: expect.stringContaining('unauthenticated'),
    challenge: expect.stringContaining('invalid_token'),
  });
  await visitor.expectFault(/status of 401/);
});

test('it does not get at what the browser keeps for the services', async () => {
  const page = await openAt('127.0.0.1');
  const asked = { credentials: 'include' };
  expect(await call(page, '/petstore/store/order/1', asked)).toEqual({ refused: true });
  await visitor.expectFault(keptBack);
});

test('any other page reads the documents, and nothing else', async () => {
  const page = await openAt('localhost');
  for (const name of ['openapi.json', 'openapi.yaml']) {
    expect(await call(page, `/petstore/${name}`)).toMatchObject({ status: 200 });
  }
  expect(await call(page, '/petstore/store/order/1')).toEqual({ refused: true });
  const pets = () => countItems(story().services.db, 'petstore', 'pets');
  const before = await pets();
  expect(await call(page, '/petstore/pet', addPet(story().services.petToken))).toEqual({
    refused: true,
  });
  expect(await pets()).toEqual(before);
  await visitor.expectFault(keptBack);
});
