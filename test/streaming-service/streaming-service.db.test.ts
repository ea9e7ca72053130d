/** A service of OpenAPI 3.2 that streams: its document and handlers are beside this file. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { foldersOf, staleFiles } from '../../scripts/generate/generated-files';
import { askAt } from '../support/ask';
import { startTestServer, type TestServer } from '../support/start';

const environment = {
  SPECS_DIRECTORY: join(__dirname, 'specs'),
  HANDLERS_DIRECTORY: join(__dirname, 'handlers'),
};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(environment);
});

afterAll(() => server.database.remove());

const ask = (request: string, body: unknown, type = 'application/json') =>
  askAt(server.running.origin)(request, { key: 'special-key', body, type });

const search = async (...places: string[]) =>
  JSON.parse((await ask('QUERY /stock/items', JSON.stringify({ places }))).text);

/** Opens the stream of changes, and gives its lines. */
const watch = async (headers: Record<string, string> = {}) => {
  const request = get(`${server.running.origin}/stock/changes`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const lines = createInterface(response)[Symbol.asyncIterator]();
  const event = async (): Promise<string[]> => {
    const read: string[] = [];
    for (let line = await lines.next(); line.value !== ''; line = await lines.next()) {
      if (line.done) throw new Error('The stream has ended');
      read.push(line.value);
    }
    return read;
  };
  return { response, event, leave: () => request.destroy() };
};

test('the types of its handlers are generated from its document', async () => {
  expect(await staleFiles(foldersOf(__dirname))).toEqual([]);
});

test('its handlers are short', () => {
  const lines = ['item.ts', 'changes.ts', 'collections.ts'].flatMap((file) =>
    readFileSync(join(environment.HANDLERS_DIRECTORY, 'stock', file), 'utf8').split('\n'),
  );
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThan(90);
});

describe('it', () => {
  test('takes 100,000 items while they come', async () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, index) => `{"id":${index + 1},"name":"Item ${index}","place":"shelf"}\n`,
    );
    const { status, text } = await ask('POST /stock/items', lines.join(''), 'application/jsonl');
    expect([status, JSON.parse(text)]).toEqual([200, { added: 100_000 }]);
    const shelf: readonly object[] = await search('shelf');
    expect([shelf.length, shelf[99_999]]).toEqual([
      100_000,
      { id: 100_000, name: 'Item 99999', place: 'shelf', count: 0 },
    ]);
  });

  test('names the first item that does not fit, and keeps those before its batch', async () => {
    const wrong = '{"name":"A","place":"cellar"}\n{"name":"","place":"cellar"}\n';
    const { status, text } = await ask('POST /stock/items', wrong, 'application/jsonl');
    expect(status).toBe(400);
    expect(JSON.parse(text).errors[0]).toMatchObject({ path: '/1/name' });
    expect(await search('cellar')).toEqual([]);
  });

  test('tells those who watch what has changed, and those who come back what they missed', async () => {
    const { event, response, leave } = await watch();
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await ask('PUT /stock/items/7', '{"count":3}');
    expect(await event()).toEqual([
      'id: 1',
      'event: change',
      'data: {"id":7,"name":"Item 6","place":"shelf","count":3}',
    ]);
    leave();
    await ask('PUT /stock/items/8', '{"count":4}');
    const again = await watch({ 'Last-Event-ID': '1' });
    expect((await again.event())[0]).toBe('id: 2');
    again.leave();
    expect((await ask('PUT /stock/items/100001', '{"count":4}')).status).toBe(404);
  });
});

test('a stop ends the streams of changes in order', async () => {
  const { response } = await watch();
  const ended = once(response, 'end');
  await server.running.stop();
  await ended;
  expect(response.complete).toBe(true);
});
