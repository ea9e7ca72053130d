/** Servers and documents that would keep a test from ending, or that it cannot test. */

import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type TestOptions, testServer } from '../../../src/contract';
import { parseApiDocument } from '../../../src/engine';
import { httpClient } from '../../../src/requests/http-client';
import { shopDocument } from './shop-server';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Repeats something until the server is closed. */
const often = (act: () => void): void => {
  const timer = setInterval(act, 5);
  closing.push(() => clearInterval(timer));
};

describe('an answer without an end is given up', () => {
  test.each<[string, RequestListener]>([
    ['one octet after the other', (_request, response) => often(() => response.write('a'))],
    [
      '103 without end',
      (_request, response) => often(() => response.writeEarlyHints({ link: '</a>' })),
    ],
    ['silence', () => undefined],
  ])('%s', async (_title, listener) => {
    const client = httpClient(new URL(await serve(listener)), [], 100);
    const sent = await client.send({ method: 'GET', target: '/', headers: [], body: undefined });
    client.close();
    expect(sent).toMatchObject({ answer: undefined, error: 'no whole answer within 0.1 seconds' });
  });
});

describe('a stream is left', () => {
  const isStream = () => true;
  const get = { method: 'GET', target: '/', headers: [], body: undefined };

  test.each<[string, string, RequestListener]>([
    ['that pauses', 'a', (_request, response) => void response.write('a')],
    ['that says nothing', '', (_request, response) => response.flushHeaders()],
    ['that has no end', 'a', (_request, response) => often(() => response.write('a'))],
    ['that is long', 'a', (_request, response) => often(() => response.write('a'.repeat(100_000)))],
  ])('%s', async (_title, begin, listener) => {
    const client = httpClient(new URL(await serve(listener)), [], 3000);
    const { answer, error } = await client.send(get, isStream);
    client.close();
    expect(error).toBeUndefined();
    expect(answer).toMatchObject({ status: 200, cut: 'left' });
    expect(answer?.body.toString().startsWith(begin)).toBe(true);
  });

  test('but not one that breaks or ends', async () => {
    const url = await serve(({ url: target }, response) => {
      response.write('a', () => (target === '/broken' ? response.destroy() : response.end()));
    });
    const client = httpClient(new URL(url));
    const cuts = ['/broken', '/whole'].map(async (target) => {
      const { answer } = await client.send({ ...get, target }, isStream);
      return answer?.cut;
    });
    expect(await Promise.all(cuts)).toEqual(['broken', undefined]);
    client.close();
  });
});

const document = parseApiDocument(
  'bad.yaml',
  readFileSync(join(__dirname, 'bad-servers.yaml'), 'utf8'),
);

const answering = (status: number): Promise<string> =>
  serve((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end());
  });

const testAt = (url: string, options: Partial<TestOptions> = {}) =>
  testServer({ document, url, depth: 'quick', ...options });

test('an operation that no request can be made for is skipped, and says why', async () => {
  const { failures, coverage } = await testAt(await answering(204));
  const skipped = coverage.operations.filter(({ requests }) => requests === 0);
  expect(skipped.map(({ operation }) => operation)).toEqual(['self', 'text', 'list', 'bytes']);
  for (const { statuses } of skipped) {
    expect(statuses[0]?.reason).toBe(
      'skipped: no body can be made, because its schema requires itself or a value that is too long',
    );
  }
  expect(new Set(failures.map(({ operation }) => operation))).toEqual(new Set(['optional']));
});

test('a run ends at its time limit, and says so', async () => {
  const { requests, isComplete } = await testAt(await answering(204), { minutes: 0 });
  expect({ requests, isComplete }).toEqual({ requests: 2, isComplete: false });
});

describe('a wrong address', () => {
  const shop = { document: shopDocument, only: ['searchItems'] };

  test.each([404, 405, 301])('%i to everything', async (status) => {
    await expect(testAt(await answering(status), shop)).rejects.toThrow(
      new RegExp(
        `^No operation succeeded once: is the URL right\\? http://[^ ]+ answered every valid request with ${status}\\.$`,
      ),
    );
  });

  test('is another thing than a server that refuses or fails', async () => {
    for (const status of [400, 401, 500]) {
      const { coverage } = await testAt(await answering(status), shop);
      const refused = coverage.operations.flatMap(({ fields }) =>
        fields.map((field) => field.refused),
      );
      expect(Math.max(...refused)).toBe(0);
    }
  });
});
