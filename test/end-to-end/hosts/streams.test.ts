/** Contents of items pass every host in both directions: one by one, checked, and no faster than they are read. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { stdSerializers } from 'pino';
import { parseApiDocument } from '../../../src/engine';
import { hostNames, startHost } from './start-host';

const text = readFileSync(join(__dirname, 'streams.yaml'), 'utf8');

interface Numbered {
  readonly n: bigint;
  readonly text?: string | undefined;
}

let asked = 0;
let returned = 0;
let sendEvent: (data: string) => void = () => undefined;

/** Numbers from 1, which tell when they are asked for, and when they are no longer. */
const numbers = (to: bigint, text: string | undefined): AsyncIterable<Numbered> => ({
  [Symbol.asyncIterator]() {
    let n = 0n;
    return {
      async next() {
        asked += 1;
        n += 1n;
        return n > to ? { done: true, value: undefined } : { done: false, value: { n, text } };
      },
      async return() {
        returned += 1;
        return { done: true, value: undefined };
      },
    };
  },
});

/** Events that come when the test says so. */
const events = (signal: AbortSignal): AsyncIterable<object> => ({
  [Symbol.asyncIterator]() {
    const sent: string[] = [];
    let wake: () => void = () => undefined;
    sendEvent = (data) => {
      sent.push(data);
      wake();
    };
    signal.addEventListener('abort', () => wake());
    return {
      async next() {
        if (sent.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        const data = sent.shift();
        return data === undefined
          ? { done: true, value: undefined }
          : { done: false, value: { data } };
      },
      async return() {
        returned += 1;
        return { done: true, value: undefined };
      },
    };
  },
});

const handlers = {
  count: ({ query }: { query: { to: bigint; text?: string } }) => ({
    status: 200,
    body: numbers(query.to, query.text),
  }),
  async sum({ body, query }: { body: AsyncIterable<Numbered>; query: { first: number } }) {
    let sum = 0n;
    let count = 0;
    for await (const { n } of body) {
      sum += n;
      count += 1;
      if (count === query.first) break;
    }
    return { status: 200, body: sum };
  },
  double: ({ body }: { body: AsyncIterable<Numbered> }) => ({
    status: 200,
    body: (async function* () {
      for await (const { n } of body) yield { n: 2n * n };
    })(),
  }),
  watch: ({ client }: { client: { signal: AbortSignal } }) => ({
    status: 200,
    body: events(client.signal),
  }),
};

const log: unknown[] = [];
/** The errors as logs write them. */
const logged: string[] = [];
let stopping = new AbortController();
const service = () => {
  stopping = new AbortController();
  return {
    document: parseApiDocument('streams.yaml', text),
    handlers,
    options: {
      maxBodyBytes: 1000,
      stopping: stopping.signal,
      log: {
        error({ err }: { err?: Error }, message: string) {
          log.push([message, err?.message]);
          logged.push(JSON.stringify(err && stdSerializers.err(err)), inspect(err, { depth: 9 }));
        },
      },
    },
  };
};

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `{"n":${index + 1}}\n`).join('');

const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/jsonl' },
  body,
});

const until = async (isThere: () => boolean): Promise<void> => {
  while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
};

describe.each(hostNames)('%s', (host) => {
  const { ask } = startHost(host, service);

  test('W24 items are sent as a response', async () => {
    const response = await ask('/v1/numbers');
    expect(response.headers.get('content-type')).toBe('application/jsonl');
    expect(response.headers.get('content-length')).toBeNull();
    expect(await response.text()).toBe(lines(3));
  });

  test('W24 HEAD gets the head, and no item is asked for', async () => {
    const before = asked;
    const response = await ask('/v1/numbers', { method: 'HEAD' });
    expect([response.status, await response.text(), asked]).toEqual([200, '', before]);
  });

  test('W25 items are sent no faster than they are read', async () => {
    const before = returned;
    const first = asked;
    const reader = (await ask(`/v1/numbers?to=200000&text=${'x'.repeat(1000)}`)).body?.getReader();
    await reader?.read();
    // Until all buffers on the way are full.
    for (let last = -1, turns = 0; turns < 50; turns = asked === last ? turns + 1 : 0) {
      last = asked;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(asked - first).toBeLessThan(100_000);
    await reader?.cancel();
    await until(() => returned > before);
  });

  test('W26 an item that does not fit cuts the response, and the log names its place', async () => {
    log.length = 0;
    const response = await ask('/v1/events');
    const reader = response.body?.getReader();
    const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
    sendEvent('one');
    expect(await read()).toBe('data: one\n\n');
    sendEvent('too long');
    expect(await read()).toMatch(/^event: error\ndata: /);
    await expect(read()).rejects.toThrow();
    await until(() => log.length > 0);
    expect(log).toEqual([
      ['A response was cut off', expect.stringMatching(/item \/1\/data must .* at most 5/)],
    ]);
  });

  test('W26 the log quotes no value, neither of an item that is sent nor of one that came', async () => {
    log.length = 0;
    logged.length = 0;
    const watched = await ask('/v1/events');
    sendEvent(Number('77777') as never);
    const doubled = await ask('/v1/numbers', {
      ...post(`{"n":1}\n{"n":"77777"}\n`),
      method: 'PUT',
    });
    await Promise.allSettled([watched.text(), doubled.text()]);
    await until(() => log.length === 2);
    expect(logged.join()).toContain('item /0/data must be a string');
    expect(logged.join()).not.toContain('77777');
  });

  test('W27 a caller that leaves ends the items, also while one is awaited', async () => {
    const before = returned;
    const controller = new AbortController();
    const response = await ask('/v1/events', { signal: controller.signal });
    sendEvent('one');
    await response.body?.getReader().read();
    controller.abort();
    await until(() => returned > before);
  });

  test('W28 an item of a request is validated when it is asked for', async () => {
    expect(await (await ask('/v1/numbers', post(lines(1000)))).text()).toBe('500500');
    expect(await (await ask('/v1/numbers', post(''))).text()).toBe('0');
    const wrong = await ask('/v1/numbers', post(`${lines(2)}{"n":"x"}\n`));
    expect([wrong.status, Reflect.get(Object(await wrong.json()), 'errors')]).toEqual([
      400,
      [
        {
          in: 'body',
          path: '/2/n',
          message: expect.stringMatching(/^must be an integer/),
          rule: 'format',
          allowed: 'int64',
          got: 'the text "x"',
        },
      ],
    ]);
    const early = await ask('/v1/numbers?first=2', post(`${lines(2)}{"n":"x"}\n`));
    expect(await early.text()).toBe('3');
  });

  test('W29 exact integers pass both ways', async () => {
    const body = '{"n":4503599627370497}\n';
    const response = await ask('/v1/numbers', { ...post(body), method: 'PUT' });
    expect(await response.text()).toBe('{"n":9007199254740994}\n');
  });

  test('W30 an item is bounded as a body is, and the whole is not', async () => {
    expect((await ask('/v1/numbers', post(lines(50_000)))).status).toBe(200);
    const large = await ask('/v1/numbers', post(`{"n":1,"more":"${'x'.repeat(1000)}"}\n`));
    expect(large.status).toBe(413);
  });

  test('W31 event streams end in order when the server stops', async () => {
    const response = await ask('/v1/events');
    sendEvent('one');
    const reader = response.body?.getReader();
    await reader?.read();
    stopping.abort();
    expect((await reader?.read())?.done).toBe(true);
  });
});
