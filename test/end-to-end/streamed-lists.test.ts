/** Lists that are sent while they are read: to callers that read, wait, or leave, and from sources that fail. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { until } from '../../scripts/machine/until';
import { readerOf } from '../../src/engine/media-types/codec/codec';
import { jsonCodec, type Pages, SerializedJson } from '../../src/engine/media-types/json/json';
import { anySchema } from '../../src/model/schema';
import { askAt } from '../support/ask';
import { listOf, type Watched, watchedPages } from '../support/pages';
import { openSocket, sendRaw } from '../support/raw-socket';
import { schemasOf } from '../support/schemas';
import { type ServedOrigin, serveDocument } from '../support/serve-document';

interface Toy {
  readonly id: bigint;
  readonly name: string;
}

const { toys: toysSchema, document } = parse(
  readFileSync(join(__dirname, 'streamed-lists.yaml'), 'utf8'),
);

const readSchema = schemasOf(document.components.schemas);

/** A toy's text is about 1 KiB, so that a page of a hundred is more than what is sent at once. */
const toy = (number: number): Toy => ({
  id: 9007199254740993n + BigInt(number),
  name: `é&${'x'.repeat(1000)}`,
});
const pageOf = (length: number, from = 0): Toy[] =>
  Array.from({ length }, (_, index) => toy(from + index));
const largePage = pageOf(100);

const json = 'application/json';
const xml = 'application/xml';
const others = ['application/jsonl', 'text/csv', 'text/yaml'];

let served: ServedOrigin;
let listing: Pages<unknown>;

beforeAll(async () => {
  served = await serveDocument({
    document,
    handlers: {
      listToys: () => ({ status: 200, body: listing }),
      doNothing: () => ({ status: 204 }),
    },
  });
});

const ask = (method: string, accept = json) =>
  askAt(served.url)(`${method} /toys`, { headers: { Accept: accept } });

/** Writes the whole list at once. */
const wholeText = (items: readonly Toy[], accept: string): string => {
  const shape = served.tools.shapeOf(readSchema(toysSchema));
  const codec = served.tools.codecs.contentCodec(accept, shape);
  if (codec === undefined) throw new Error(`Nothing writes ${accept}`);
  return codec.writer(shape, 'response')(items);
};

/** Serves other callers meanwhile: so many take their turn. */
const serveOthers = async (times = 20): Promise<void> => {
  for (let time = 0; time < times; time += 1) {
    expect((await askAt(served.url)('GET /nothing')).status).toBe(204);
  }
};

const ended = (source: Watched<unknown>): Promise<true> =>
  until('the end of the source', () => (source.returned > 0 ? true : undefined));

/** Begins to ask, and leaves the reading to the test. */
const beginToRead = async (): Promise<IncomingMessage> => {
  const sent = request(`${served.url}/toys`, { agent: false }).end();
  const [answer] = await once(sent, 'response');
  return answer;
};

describe.each([json, xml, ...others])('%s', (accept) => {
  test.each([
    ['no items', []],
    ['nothing but empty pages', [[], []]],
    ['one item', [[], pageOf(1)]],
    ['several pages', [pageOf(2), [], pageOf(3, 2)]],
  ])('a short list of %s has a length', async (_title, pages) => {
    listing = listOf(...pages);
    const answer = await ask('GET', accept);
    expect(answer.text).toBe(wholeText(pages.flat(), accept));
    expect(answer.headers).toMatchObject({
      'content-length': String(answer.bytes.length),
      vary: 'Accept',
    });
    expect(answer.headers).not.toHaveProperty('transfer-encoding');
  });

  test('a long list is sent in chunks', async () => {
    const items = pageOf(500);
    listing = listOf(items.slice(0, 200), [], items.slice(200));
    const answer = await ask('GET', accept);
    expect(answer.text).toBe(wholeText(items, accept));
    expect(answer.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    expect(answer.headers).not.toHaveProperty('content-length');
  });

  test('20,000 items are the text of the whole list', async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({
      id: BigInt(index),
      name: `${index}`,
    }));
    listing = watchedPages((page) =>
      page < 200 ? items.slice(page * 100, (page + 1) * 100) : undefined,
    );
    const answer = await ask('GET', accept);
    expect(answer.text === wholeText(items, accept)).toBe(true);
  });

  test('HTTP/1.0 is answered until the connection closes', async () => {
    listing = listOf(largePage, largePage);
    const { text } = await sendRaw(
      served.url,
      `GET /toys HTTP/1.0\r\nAccept: ${accept}\r\nConnection: keep-alive\r\n\r\n`,
    );
    const [head = '', body = ''] = text.split('\r\n\r\n', 2);
    expect(Buffer.from(body, 'latin1').toString()).toBe(
      wholeText([...largePage, ...largePage], accept),
    );
    expect(head).toMatch(/^connection: close$/im);
    expect(head).not.toMatch(/^(transfer-encoding|content-length):/im);
  });

  test('HEAD asks for the first page alone', async () => {
    const source = listOf(pageOf(1), pageOf(1));
    listing = source;
    const answer = await ask('HEAD', accept);
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(answer.headers['content-type']).toContain(accept);
    expect(source).toMatchObject({ asked: 1, returned: 1 });
  });

  test('HEAD tells the length of an empty list', async () => {
    listing = listOf();
    const { headers } = await ask('HEAD', accept);
    expect(headers['content-length']).toBe(String(wholeText([], accept).length));
  });
});

describe('kept texts', () => {
  const text = '{"id": 9007199254740993,  "name": "a"}';
  const keptToy = () => {
    const shape = served.tools.shapeOf(served.document.schemas.get('Toy') ?? anySchema);
    return new SerializedJson(shape, text, readerOf(jsonCodec, shape, 'storage'));
  };

  test('are sent as they are in JSON', async () => {
    listing = listOf([keptToy(), { id: 1n, name: 'b' }], [keptToy()]);
    expect((await ask('GET')).text).toBe(`[${text},{"id":1,"name":"b"},${text}]`);
  });

  test('are written in XML', async () => {
    listing = listOf([keptToy()], [keptToy()]);
    const value = { id: 9007199254740993n, name: 'a' };
    expect((await ask('GET', xml)).text).toBe(wholeText([value, value], xml));
  });
});

describe('a caller', () => {
  test('that stops reading has nothing made for it, until it reads again', async () => {
    const count = 800;
    const source = watchedPages((index) => (index < count ? largePage : undefined));
    listing = source;
    const answer = await beginToRead();
    let before = -1;
    await until('the source at rest', async () => {
      if (source.asked === before) return true;
      before = source.asked;
      await serveOthers();
      return undefined;
    });
    // What the system buffers for a connection is a few megabytes.
    expect(source.asked).toBeLessThan(count / 4);
    let length = 0;
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    await once(answer, 'end');
    const ofPage = Buffer.byteLength(wholeText(largePage, json)) - 1;
    expect(length).toBe(count * ofPage + 1);
    expect(source).toMatchObject({ asked: count + 1, returned: 0 });
  });

  test('that leaves has its source ended, and no page asked for any more', async () => {
    const source = watchedPages(() => largePage);
    listing = source;
    const answer = await beginToRead();
    await once(answer, 'data');
    answer.destroy();
    await ended(source);
    const { asked } = source;
    await serveOthers();
    expect(source).toMatchObject({ asked, returned: 1 });
  });

  test.each([0, 2])(
    'that leaves while page %i is awaited does not wait for it',
    async (awaited) => {
      let give: (page: undefined) => void = () => undefined;
      const source = watchedPages((index) =>
        index < awaited
          ? largePage
          : new Promise<undefined>((resolve) => {
              give = resolve;
            }),
      );
      listing = source;
      const socket = openSocket(served.url);
      socket.resume().write('GET /toys HTTP/1.1\r\nHost: a\r\n\r\n');
      await until('the question', () => (source.asked > awaited ? true : undefined));
      socket.destroy();
      await ended(source);
      give(undefined);
      await serveOthers();
      expect(source).toMatchObject({ asked: awaited + 1, returned: 1 });
      expect(served.errors).toStrictEqual([]);
    },
  );
});

describe('a source that fails', () => {
  const failure = new Error('The database is gone');
  const failingAt = (failing: number, page: readonly Toy[]) =>
    watchedPages((index) => {
      if (index === failing) throw failure;
      return page;
    });
  const logged = (before: number) => served.errors.slice(before);

  test.each([
    ['at once', failingAt(0, []), json],
    ['at once, in XML', failingAt(0, []), xml],
    ['before much was sent', failingAt(3, pageOf(1)), json],
    ['at an item that is not declared', listOf([{ id: 1n }]), json],
    ['at what is no page', listOf(...([{ id: 1n }] as never[])), json],
  ])('%s is answered by an error', async (_title, source: Watched<unknown>, accept) => {
    const before = served.errors.length;
    listing = source;
    const answer = await ask('GET', accept);
    expect(answer.status).toBe(500);
    expect(answer.headers['content-type']).toContain(accept);
    expect(answer.text).toContain('The server failed to answer this request');
    expect(logged(before)).toHaveLength(1);
  });

  test('so is HEAD', async () => {
    listing = failingAt(0, []);
    expect((await ask('HEAD')).status).toBe(500);
  });

  test.each([
    ['on its third page', failingAt(2, largePage), { err: failure }],
    ['at a later item', listOf<unknown>(largePage, [toy(0), 7]), {}],
  ])('%s has the connection cut off', async (_title, source: Watched<unknown>, fields) => {
    const before = served.errors.length;
    listing = source;
    const { text, statuses } = await sendRaw(served.url, 'GET /toys HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(statuses).toStrictEqual([200]);
    expect(text).toMatch(/transfer-encoding: chunked/i);
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    await serveOthers(1);
    expect(logged(before)).toMatchObject([fields]);
    expect(logged(before)).toHaveLength(1);
  });
});

describe('a connection', () => {
  const question = 'GET /toys HTTP/1.1\r\nHost: a\r\n\r\n';
  const last = 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

  test('carries one list after the other, and more', async () => {
    listing = {
      [Symbol.asyncIterator]: () => listOf(largePage, largePage)[Symbol.asyncIterator](),
    };
    const { statuses } = await sendRaw(served.url, question.repeat(20) + last);
    expect(statuses).toStrictEqual([...Array(20).fill(200), 204]);
  });

  test('that closes ends the sources of all its answers, sent or waiting', async () => {
    const sources: Watched<Toy>[] = [];
    listing = {
      [Symbol.asyncIterator]: () => {
        const source = watchedPages(() => largePage);
        sources.push(source);
        return source[Symbol.asyncIterator]();
      },
    };
    const socket: Socket = openSocket(served.url);
    socket.write(question.repeat(3));
    await until('three lists', () => (sources.length === 3 ? true : undefined));
    await serveOthers();
    socket.destroy();
    for (const source of sources) await ended(source);
    const asked = sources.map((source) => source.asked);
    await serveOthers();
    expect(sources.map((source) => source.asked)).toStrictEqual(asked);
  });
});
