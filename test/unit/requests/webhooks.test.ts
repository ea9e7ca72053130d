/** Webhooks and callbacks: requests that an API sends, written and validated by its document. */

import { describe, expect, test } from '@jest/globals';
import { type Codec, parseApiDocument } from '../../../src/engine';
import { openApiWebhooks } from '../../../src/requests/webhooks';

const document = parseApiDocument(
  'harbour.yaml',
  `
openapi: 3.2.0
info: { title: Harbour, version: '1' }
paths:
  /watches:
    post:
      operationId: watch
      responses: { '201': { description: Watching } }
      callbacks:
        arrived:
          '{$request.body#/url}':
            post: { requestBody: { required: true, content: { application/xml: { schema: { $ref: '#/components/schemas/Ship' } } } }, responses: { '204': { description: Seen } } }
        moved:
          '{$request.body#/url}':
            put: { operationId: shipMoved, requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { berth: { type: integer } } } } } }, responses: { '204': { description: Seen } } }
            delete: { responses: { '204': { description: Seen } } }
webhooks:
  shipChanged:
    post:
      parameters:
        - { name: X-Harbour, in: header, required: true, schema: { type: string, enum: [north, south] } }
        - { name: X-Piers, in: header, schema: { type: array, items: { type: integer } } }
        - { name: tags, in: query, explode: false, schema: { type: array, maxItems: 2, items: { type: string } } }
        - { name: seen, in: cookie, schema: { type: string } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Ship' } }, text/plain: { schema: { type: string } } } }
      responses: { '204': { description: Seen } }
  tide:
    get: { operationId: tideAsked, parameters: [{ name: height, in: query, required: true, schema: { type: number } }], responses: { '200': { description: Seen } } }
    post: { operationId: tideTold, requestBody: { content: { image/png: {}, application/jsonl: { itemSchema: { type: object } } } }, responses: { '200': { description: Seen } } }
components:
  schemas:
    Ship:
      type: object
      required: [id, name, code]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string, maxLength: 10 }
        code: { type: string, writeOnly: true }
      xml: { name: ship }
`,
  {},
);

// The document is known as text alone here.
const webhook =
  openApiWebhooks<Record<string, { query?: object; header?: object; body?: unknown }>>(document);
const url = 'https://example.com/in?key=1#part';
const ship = { id: 2n ** 63n - 1n, name: 'Möwe' };
const json = '{"id":9223372036854775807,"name":"Möwe"}';

describe('a message', () => {
  test.each([
    [
      'shipChanged',
      {
        header: { 'X-Harbour': 'north', 'x-piers': [1, 2], 'X-Other': 'o' },
        query: { tags: ['a b', 'c'] },
        body: ship,
      },
      'POST https://example.com/in?key=1&tags=a%20b,c#part',
      {
        'Content-Type': 'application/json',
        'X-Harbour': 'north',
        'x-piers': '1,2',
        'X-Other': 'o',
      },
      json,
    ],
    [
      'shipChanged',
      { header: { 'X-Harbour': 'north', 'Content-Type': 'text/plain' }, body: 'Möwe' },
      'POST https://example.com/in?key=1#part',
      { 'Content-Type': 'text/plain; charset=utf-8', 'X-Harbour': 'north' },
      'Möwe',
    ],
    [
      'watch.arrived',
      { body: ship },
      'POST https://example.com/in?key=1#part',
      { 'Content-Type': 'application/xml; charset=utf-8' },
      '<?xml version="1.0" encoding="UTF-8"?>\n<ship><id>9223372036854775807</id><name>Möwe</name></ship>',
    ],
    [
      'watch.moved.shipMoved',
      { body: { berth: 7 } },
      'PUT https://example.com/in?key=1#part',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      'berth=7',
    ],
    [
      'tideAsked',
      { query: { height: 1.5 } },
      'GET https://example.com/in?key=1&height=1.5#part',
      {},
      null,
    ],
    [
      'tideTold',
      { header: { 'content-type': 'image/png' }, body: Uint8Array.of(255) },
      'POST https://example.com/in?key=1#part',
      { 'Content-Type': 'image/png' },
      Uint8Array.of(255),
    ],
  ])('of %s has what the document says of %j', (name, given, line, headers, body) => {
    const message = webhook(name, url, given);
    expect({ ...message, url: `${message.method} ${message.url}` }).toMatchObject({
      url: line,
      headers,
    });
    expect(Object.keys(message.headers)).toHaveLength(Object.keys(headers).length);
    expect(message.body).toEqual(body);
  });
});

describe('what the document does not allow is refused', () => {
  const north = { 'X-Harbour': 'north' };
  test.each([
    [
      'shipChanged',
      { header: north, body: { name: 'x' } },
      'The request\'s body/id must have the property "id"',
    ],
    [
      'shipChanged',
      { header: north, body: { ...ship, name: 'longer than ten' } },
      "The request's body/name must be at most 10 characters long",
    ],
    ['shipChanged', { header: north }, 'The request lacks its body'],
    ['shipChanged', { body: ship }, 'The request lacks the header X-Harbour'],
    [
      'shipChanged',
      { header: { 'X-Harbour': 'west' }, body: ship },
      'The request\'s header X-Harbour must be one of "north", "south"',
    ],
    [
      'shipChanged',
      { header: { ...north, 'X-Other': 'a\nb' }, body: ship },
      'Invalid character in header content ["X-Other"]',
    ],
    [
      'shipChanged',
      { header: north, query: { tags: ['a', 'b', 'c'] }, body: ship },
      'A parameter does not fit its schema: query tags must have at most 2 items',
    ],
    ['tideAsked', {}, 'A parameter does not fit its schema: query height is required'],
    [
      'tideTold',
      { header: { 'content-type': 'application/jsonl' }, body: [{}] },
      'The body is a stream',
    ],
  ])('%s %j', (name, given, reason) => {
    expect(() => webhook(name, url, given)).toThrow(
      `The webhook ${name} cannot be written: ${reason}`,
    );
  });

  test.each([
    ['file:///etc/passwd', 'The webhook tideAsked cannot be written: The URL is none of HTTP'],
    ['/relative', 'The webhook tideAsked cannot be written: Invalid URL'],
  ])('the URL %s', (wrong, message) => {
    expect(() => webhook('tideAsked', wrong, { query: { height: 1 } })).toThrow(message);
  });

  test('a name that there is not', () => {
    expect(() => webhook('arrived', url, {})).toThrow(
      new Error(
        'arrived is no webhook. There are: shipChanged, tideAsked, tideTold, watch.arrived, watch.moved.shipMoved, watch.moved.delete {$request.body#/url}',
      ),
    );
  });
});

test('a format of the document is written by its own codec', () => {
  const ini: Codec = {
    name: 'ini',
    mediaTypes: ['text/ini'],
    reader: () => () => ({}),
    writer: () => (value) => `name=${Object(value).name}`,
  };
  const text = `
openapi: 3.1.0
info: { title: Harbour, version: '1' }
webhooks:
  told:
    post:
      requestBody: { content: { text/ini: { schema: { type: object, properties: { name: { type: string } } } } } }
      responses: { '204': { description: Seen } }
`;
  const write = openApiWebhooks<{ told: { body: object } }>(
    parseApiDocument('harbour.yaml', text, { codecs: [ini] }),
  );
  expect(write('told', url, { body: { name: 'Gull' } }).body).toBe('name=Gull');
});
