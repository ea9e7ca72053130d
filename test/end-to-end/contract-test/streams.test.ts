/** A test of a server reads streams item by item, and sends right and wrong ones. */

import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { type TestOptions, testServer } from '../../../src/contract';
import type { UntypedHandler } from '../../../src/engine/operation/handler';
import { listen } from '../../support/listen';
import { serveDocument, serviceOf } from '../../support/serve-document';
import { streamFaults } from './stream-faults';

const text = readFileSync(join(__dirname, 'streams.yaml'), 'utf8');

const reading = { sensor: 'a', value: 1 };

/** Yields events without an end. */
async function* changes() {
  for (let id = 1; ; id += 1) yield { id: String(id), event: 'added', data: reading };
}

const handlers: Readonly<Record<string, UntypedHandler>> = {
  listReadings: () => ({ status: 200, body: [1n, 2n].map((id) => ({ id, ...reading })) }),
  addReadings: async ({ body }) => {
    let count = 0;
    for await (const _item of body as AsyncIterable<unknown>) count += 1;
    return { status: 200, body: count };
  },
  echoReadings: ({ body }) => ({ status: 200, body }),
  sendParts: async ({ body }) => {
    for await (const _item of body as AsyncIterable<unknown>);
    return { status: 200, body: [reading, reading] };
  },
  watchChanges: () => ({ status: 200, body: changes() }),
};

const sound = serviceOf({ document: text, handlers });

/** Passes on the first line of each body, and so takes all that comes behind it. */
const careless = async (): Promise<RequestListener> => {
  const origin = await listen(createServer(sound.listener));
  return async (request, response) => {
    const [body] = (await textOf(request)).split('\n');
    const { method = '', url = '', headers } = request;
    const answer = await fetch(origin + url, {
      method,
      headers: { 'Content-Type': headers['content-type'] ?? '' },
      ...(method === 'POST' ? { body: body ?? '' } : {}),
    });
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(await answer.text());
  };
};

const testAt = async (listener: RequestListener, options: Partial<TestOptions> = {}) => {
  const url = await listen(createServer(listener));
  return testServer({ document: sound.document, url, depth: 'quick', shrink: false, ...options });
};

test('mocks have no failure, and everything is reached', async () => {
  const { url, document } = await serveDocument({ document: text, mocks: true });
  // What they are sent is read as for handlers, which are tested in full: what they send is what can be wrong.
  const { failures, coverage } = await testServer({ document, url, depth: 'quick' });
  expect(failures.map(({ message }) => message)).toEqual([]);
  expect(coverage.percent).toBe(100);
});

test('handlers have no failure, and everything is reached', async () => {
  const { failures, coverage } = await testAt(sound.listener, { depth: 'normal' });
  expect(failures.map(({ message }) => message)).toEqual([]);
  expect(coverage.percent).toBe(100);
});

test('fields of items are counted', async () => {
  const { coverage } = await testAt(sound.listener, { only: ['addReadings'] });
  const [{ fields = [] } = {}] = coverage.operations;
  const names = ['', 'data', 'event', 'id', 'sensor', 'tags', 'value'];
  expect(fields.map(({ name }) => name).sort()).toEqual(names);
});

describe('every mistake is found', () => {
  test.each(streamFaults)('$name', async ({ operation, rule, seen, act }) => {
    const listener: RequestListener = (request, response) => {
      const own = act(request);
      if (own === undefined) sound.listener(request, response);
      else own(response);
    };
    const { failures } = await testAt(listener, { only: [operation] });
    const found = failures.filter((failure) => failure.rule === rule);
    expect(
      found.map((failure) => `${failure.expected}; ${failure.seen}; ${failure.place}`),
    ).toContainEqual(expect.stringContaining(seen));
  });

  test('items behind the first are not looked at', async () => {
    const { failures } = await testAt(await careless(), { only: ['addReadings'] });
    const places = failures.map(({ rule, place }) => `${rule} ${place}`);
    expect(places).toContainEqual('invalid-accepted body/2/sensor missing');
    expect(places).not.toContainEqual('invalid-accepted body/*/sensor missing');
  });
});
