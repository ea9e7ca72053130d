/** Mocks that act on the resources of their document: what is posted can be read, listed, changed and deleted. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { callerOf } from '../conformance/ask';
import { askAt } from '../support/ask';
import { type ServedDocument, serveDocument } from '../support/serve-document';
import { runTool } from '../unit/tool/run-command';

const shop = readFileSync(join(__dirname, 'memory.yaml'), 'utf8');

const served = (more: Partial<ServedDocument> = {}): ServedDocument => ({
  document: shop,
  mocks: true,
  ...more,
});

/** Sends `METHOD /path body` and returns the status and the body, JSON without blanks. */
const asker = (url: string) => {
  const ask = askAt(new URL(url).origin);
  return async (line: string, headers: Record<string, string> = {}) => {
    const [, method, path, body] = /^(\S+) (\S+)(?: (.+))?$/.exec(line) ?? [];
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return ask(`${method} /shop${path}`, {
      headers: { ...type, ...headers },
      ...(body && { body }),
    });
  };
};

/** Asks line by line. */
const play = async (url: string, lines: readonly string[]): Promise<string[]> => {
  const ask = asker(url);
  const told: string[] = [];
  for (const line of lines) {
    const { status, text } = await ask(line);
    told.push(`${line} => ${status} ${text}`.trim());
  }
  return told;
};

describe('a memory', () => {
  let url = '';
  let errors: readonly object[] = [];
  beforeAll(async () => {
    ({ url, errors } = await serveDocument(
      served({ handlers: { handled: () => ({ status: 200, body: { id: 'P2345' } }) } }),
    ));
  });
  const made = '"made":"2024-01-01T12:00:00Z"';

  test.each<[title: string, lines: string]>([
    [
      'begins with the examples of the document',
      `GET /things => 200 {"things":[{"id":7,"name":"Pin","kind":"small",${made}}],"total":1,"has_more":false}
       GET /things/7 => 200 {"id":7,"name":"Pin","kind":"small",${made}}
       GET /things/8 => 404 {"code":404,"type":"declared","message":"No such thing"}`,
    ],
    [
      'keeps, changes and deletes what is posted',
      `POST /things {"name":"Nut","secret":"s"} => 201 {"id":8,"name":"Nut","kind":"large",${made}}
       PATCH /things/7 {"name":"Clip","tags":["a"]} => 200 {"id":7,"name":"Clip","kind":"small",${made},"tags":["a"]}
       PATCH /things/7 {"name":"Clip","tags":null} => 200 {"id":7,"name":"Clip","kind":"small",${made}}
       PUT /things/8 {"name":"Bolt"} => 200 {"id":8,"name":"Bolt","kind":"large",${made}}
       GET /things/8 => 200 {"id":8,"name":"Bolt","kind":"large",${made}}
       DELETE /things/8 => 204
       DELETE /things/8 => 404 {"code":404,"type":"declared","message":"No such thing"}
       PUT /things/8 {"name":"Bolt"} => 404 {"code":404,"type":"declared","message":"Taken"}
       POST /things {"id":9223372036854775807,"name":"Far"} => 201 {"id":9223372036854775807,"name":"Far","kind":"large",${made}}
       POST /things {"id":9223372036854775807,"name":"Far"} => 409 {"code":409,"type":"declared","message":"Taken"}`,
    ],
    [
      'filters, sorts and cuts into pages',
      `POST /things {"name":"B","id":1} => 201 {"id":1,"name":"B","kind":"large",${made}}
       POST /things {"name":"A","id":2} => 201 {"id":2,"name":"A","kind":"large",${made}}
       GET /things?kind=small&kind=none => 200 {"things":[{"id":7,"name":"Pin","kind":"small",${made}}],"total":1,"has_more":false}
       GET /things?kind=large&order_by=name&limit=1 => 200 {"things":[{"id":2,"name":"A","kind":"large",${made}}],"total":2,"next_cursor":"Mg","has_more":true}
       GET /things?kind=large&order_by=name&limit=1&after=Mg&colour=red => 200 {"things":[{"id":1,"name":"B","kind":"large",${made}}],"total":2,"has_more":false}
       GET /things?order_by=-id&limit=0&after=gone => 200 {"things":[],"total":3,"has_more":false}`,
    ],
    [
      'keeps items below items, as long as these are there',
      `GET /things/8/parts => 404 {"code":404,"type":"declared","message":"No such thing"}
       POST /things {"name":"B","id":1} => 201 {"id":1,"name":"B","kind":"large",${made}}
       GET /things/1/parts => 200 []
       POST /things/1/parts {"size":1.5} => 200 {"id":"P1234","thingId":1,"size":1.5}
       POST /things/1/parts {"size":2} => 200 {"id":"P2345","thingId":1,"size":2}
       GET /things/1/parts/P2345 => 200 {"id":"P2345","thingId":1,"size":2}
       GET /things/7/parts => 200 [{"id":"P1234","thingId":7,"size":1.5},{"id":"P2345","thingId":7,"size":2.5},{"id":"P3456","thingId":7,"size":3.5}]
       DELETE /things/1 => 204
       POST /things {"name":"B","id":1} => 201 {"id":1,"name":"B","kind":"large",${made}}
       GET /things/1/parts => 200 []`,
    ],
    [
      'knows envelopes, UUIDs, and PUT that creates',
      `GET /notes?page=2&per_page=2 => 200 [{"id":"0f2ea49d-aba9-4545-ac46-785741bc0b8d","text":"string 3"}]
       PUT /notes/11111111-1111-4111-8111-111111111111 {"id":"11111111-1111-4111-8111-111111111111","text":"one"} => 201
       PUT /notes/11111111-1111-4111-8111-111111111111 {"id":"11111111-1111-4111-8111-111111111111","text":"two"} => 200
       GET /notes/11111111-1111-4111-8111-111111111111 => 200 {"data":{"id":"11111111-1111-4111-8111-111111111111","text":"two"}}
       POST /notes {"note":{"id":"21111111-1111-4111-8111-111111111111","text":"three"}} => 201
       GET /notes/21111111-1111-4111-8111-111111111111 => 200 {"data":{"id":"21111111-1111-4111-8111-111111111111","text":"three"}}`,
    ],
    [
      'counts pages, and keeps what may be null and is required',
      `GET /cards?page=2&per_page=2 => 200 {"data":[{"id":3,"owner":"string 3"}],"meta":{"page":2,"pages":2}}
       PATCH /cards/3 {"owner":null} => 200 {"id":3,"owner":null}
       GET /cards?page=3&per_page=1 => 200 {"data":[{"id":3,"owner":null}],"meta":{"page":3,"pages":3}}`,
    ],
    [
      'leaves resources with handlers alone',
      `POST /partly {} => 200 {"id":"P2345"}
       GET /partly/any => 200 {"id":"P1234","thingId":1,"size":1.5}
       DELETE /partly/any => 204`,
    ],
  ])('%s', async (_title, text) => {
    const lines = text.split('\n').map((line) => line.trim());
    await play(url, ['DELETE /__state']);
    const asked = lines.map((line) => line.replace(/ => .*/, ''));
    expect(await play(url, asked)).toEqual(lines);
    expect(errors).toEqual([]);
  });
});

test('it holds in every media type, marks what it answers, and says where new items are', async () => {
  const { url, errors } = await serveDocument(served());
  const ask = asker(url);
  const made = await ask('POST /things <Thing><name>Nut</name></Thing>', {
    'Content-Type': 'application/xml',
    Accept: 'application/xml',
  });
  const xml =
    '<Thing><id>8</id><name>Nut</name><kind>large</kind><made>2024-01-01T12:00:00Z</made></Thing>';
  expect([made.status, made.headers['location'], made.headers['x-mock']]).toEqual([
    201,
    '/shop/things/8',
    'true',
  ]);
  expect(made.text).toContain(xml);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await ask('POST /things name=Bolt&kind=small', form)).headers).toMatchObject({
    location: '/shop/things/9',
  });
  const read = await ask('GET /things/9', { Accept: 'application/xml' });
  expect(read.text).toContain('<name>Bolt</name><kind>small</kind>');
  const notes = await ask('GET /notes?per_page=1&page=1');
  expect([notes.headers['x-total-count'], JSON.parse(notes.text).length]).toEqual(['3', 1]);
  const missing = await ask('GET /things/10');
  expect([missing.status, missing.headers['x-mock']]).toEqual([404, 'true']);
  const preferred = await ask('GET /things/10', { Prefer: 'example=small' });
  expect([preferred.status, JSON.parse(preferred.text).name]).toEqual([200, 'Pin']);
  expect(errors).toEqual([]);
});

test('the contract test finds nothing to say about a server without handlers', async () => {
  const file = join(__dirname, 'contract-test/shop.yaml');
  const { url, errors } = await serveDocument({
    document: await readFile(file, 'utf8'),
    mocks: true,
    securityHandlers: { apiKey: async (key) => (key === 'good' ? callerOf('key') : undefined) },
  });
  const only = ['--depth', 'quick', '--seed', '2'];
  const args = ['test', file, '--url', url, '--credential', 'key=good', ...only];
  expect(await runTool(args)).toMatchObject({ exitCode: 0, err: '' });
  expect(errors).toEqual([]);
});

test('the same seed gives the same items, and another one others', async () => {
  const notes = async (seed: number) => {
    const { url } = await serveDocument(served({ memory: { seed } }));
    return (await asker(url)('GET /notes')).text;
  };
  const [first, again, other] = [await notes(3), await notes(3), await notes(4)];
  expect(first).toBe(again);
  expect(first).not.toBe(other);
});
