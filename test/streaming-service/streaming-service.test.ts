/** A service of OpenAPI 3.2 that streams: its document and handlers are beside this file. */

import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askAt } from '../support/ask';
import { environmentOf, testHandlers } from '../support/service-folder';
import { startTestServer, type TestServer } from '../support/start';

const environment = environmentOf(__dirname);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(environment);
});

afterAll(() => server.database.remove());

const ask = (target: string, body: unknown, type = 'application/json') =>
  askAt(server.running.origin)(target, { key: 'special-key', body, type });

const search = async (...places: string[]) =>
  JSON.parse((await ask('QUERY /stock/items', JSON.stringify({ places }))).text);

/** Opens the stream of changes, and gives its lines. */
const watch = async (headers: Record<string, string> = {}) => {
  const sent = get(`${server.running.origin}/stock/changes`, { headers });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const lines = createInterface(response)[Symbol.asyncIterator]();
  const event = async (): Promise<string[]> => {
    const read: string[] = [];
    for (let line = await lines.next(); line.value !== ''; line = await lines.next()) {
      if (line.done) throw new Error('The stream has ended');
      read.push(line.value);
    }
    return read;
  };
  return { response, event, leave: () => sent.destroy() };
};

/** Items that have, with the spaces in them, more bytes than a body that is read as a whole may have. */
const many = 3000;

testHandlers(__dirname, ['stock/item.ts', 'stock/collections.ts'], 80);

describe('it', () => {
  test('takes many items while they come', async () => {
    const lines = Array.from(
      { length: many },
      (_, index) =>
        `{"id":${index + 1},"name":"Item ${index}","place":"shelf"${' '.repeat(400)}}\n`,
    );
    const added = await ask('POST /stock/items', lines.join(''), 'application/jsonl');
    expect([added.status, JSON.parse(added.text)]).toEqual([200, { added: many }]);
    const shelf: readonly object[] = await search('shelf');
    expect([shelf.length, shelf[many - 1]]).toEqual([
      many,
      { id: many, name: `Item ${many - 1}`, place: 'shelf', count: 0 },
    ]);
  });

  test('names the first item that does not fit, and keeps those before its batch', async () => {
    const wrong = '{"name":"A","place":"cellar"}\n{"name":"","place":"cellar"}\n';
    const refused = await ask('POST /stock/items', wrong, 'application/jsonl');
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text).errors[0]).toMatchObject({ path: '/1/name' });
    expect(await search('cellar')).toEqual([]);
  });

  test('takes items that are compressed, and waits with a 100 until it reads them', async () => {
    const upload = request(`${server.running.origin}/stock/items`, {
      method: 'POST',
      headers: {
        api_key: 'special-key',
        'Content-Type': 'application/jsonl',
        'Content-Encoding': 'gzip',
        Expect: '100-continue',
      },
    });
    upload.flushHeaders();
    await once(upload, 'continue');
    upload.end(gzipSync('{"id":200001,"name":"A","place":"cellar"}\n'));
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([200, '{"added":1}']);
  });

  test('adds nothing of a batch that breaks off', async () => {
    const upload = request(`${server.running.origin}/stock/items`, {
      method: 'POST',
      headers: { api_key: 'special-key', 'Content-Type': 'application/jsonl' },
    });
    upload.on('error', () => undefined);
    upload.write('{"id":200002,"name":"B","place":"cellar"}\n{"id":');
    await new Promise<void>((resolve) => upload.once('drain', resolve).write(' '.repeat(1 << 20)));
    upload.destroy();
    const names = (await search('cellar')).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['A']);
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
