/** Webhooks and callbacks: requests that an API sends, written and validated by its document. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Codec, parseApiDocument } from '../../../src/engine';
import { openApiWebhooks } from '../../../src/requests/webhooks';
import { readText, readValue, tableOf } from '../../support/text-cases';

const cases = join(__dirname, 'webhooks.cases.txt');

const document = parseApiDocument(
  'harbour.yaml',
  readFileSync(join(__dirname, 'webhooks.yaml'), 'utf8'),
  {},
);

// The document is known as text alone here.
const webhook =
  openApiWebhooks<Record<string, { query?: object; header?: object; body?: unknown }>>(document);
const url = 'https://example.com/in?key=1#part';

type Message = [name: string, given: object, line: string, headers: object, body: unknown];

describe('a message', () => {
  test.each<Message>([
    ...tableOf(cases, 'messages').map(
      ([name = '', given = '', line = '', headers = '', body = '']): Message => [
        name,
        Object(readValue(given)),
        line,
        Object(readValue(headers)),
        readValue(body),
      ],
    ),
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
  test.each(tableOf(cases, 'refused'))('%s %s', (name = '', given = '', reason = '') => {
    expect(() => webhook(name, url, Object(readValue(given)))).toThrow(
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

/** A document whose webhook `told`, or the callback of an operation, has this content. */
const telling = (content: string, version = '3.2.0') => {
  const told = `{ post: { requestBody: { content: ${content} }, responses: { '204': { description: Seen } } } }`;
  const paths = `{ /a: { post: { operationId: a, responses: { '200': { description: A } }, callbacks: { told: { '{$request.body#/url}': ${told} } } } } }`;
  const text = `openapi: ${version}\ninfo: { title: T, version: '1' }\npaths: ${paths}\n`;
  const isOld = version.startsWith('3.0');
  const document = parseApiDocument(
    't.yaml',
    isOld ? text : `${text}webhooks: { told: ${told} }\n`,
  );
  const write = openApiWebhooks<Record<string, { body: unknown; header?: object }>>(document);
  const names = isOld ? ['a.told'] : ['told', 'a.told'];
  return { document, write: (body: unknown) => names.map((name) => write(name, url, { body })) };
};

const note = `{ type: object, required: [id], properties: { id: { type: integer, readOnly: true }, pin: { type: string, writeOnly: true }, when: { type: string, format: date } } }`;
const written = { id: 1, pin: 'p' };

type Content = [content: string, value: unknown, contentType: string, body: unknown];

describe('every media type that requests have is written', () => {
  test.each<Content>([
    ...tableOf(cases, 'media types').map(
      ([content = '', value = '', contentType = '', body = '']): Content => [
        content.replace('*note', note),
        readValue(value),
        contentType,
        readText(body),
      ],
    ),
    [
      `application/octet-stream: { schema: { type: string, format: binary } }`,
      Uint8Array.of(255, 0),
      'application/octet-stream',
      Uint8Array.of(255, 0),
    ],
  ])('%s', (content, value, contentType, body) => {
    for (const version of ['3.0.4', '3.1.1', '3.2.0']) {
      for (const message of telling(`{ ${content} }`, version).write(value)) {
        expect(message).toMatchObject({ headers: { 'Content-Type': contentType }, body });
      }
    }
  });

  test.each(tableOf(cases, 'item by item'))(
    'item by item: %s',
    (content = '', value = '', contentType = '', body = '') => {
      for (const message of telling(`{ ${content.replace('*note', note)} }`).write(
        readValue(value),
      )) {
        expect(message).toMatchObject({
          headers: { 'Content-Type': contentType },
          body: readText(body),
        });
      }
    },
  );

  test('multipart/form-data, which another reader takes apart', async () => {
    const content = `{ multipart/form-data: { schema: { type: object, required: [file], properties: { subject: { type: string }, tags: { type: array, items: { type: string } }, note: ${note}, secret: { type: string, writeOnly: true }, file: { type: string, format: binary }, files: { type: array, items: { type: string, format: binary } } } }, encoding: { file: { contentType: image/png } } } }`;
    // A text that would end its part if the boundary could be foreseen.
    const subject = '\r\n--boundary-of-a-written-request-7f3a--\r\nä"';
    const [file, files] = [Uint8Array.of(1, 255), [Uint8Array.of(2), Uint8Array.of(3)]];
    const value = { subject, tags: ['a', 'b'], note: written, secret: 's', file, files };
    for (const version of ['3.0.4', '3.1.1', '3.2.0']) {
      for (const { body, headers } of telling(content, version).write(value)) {
        const form = await new Response(body, { headers }).formData();
        expect([...form.keys()]).toEqual([
          'subject',
          'tags',
          'tags',
          'note',
          'file',
          'files',
          'files',
        ]);
        expect(form.get('subject')).toBe(subject);
        expect(form.get('note')).toBe('{"id":1}');
        const sent = form.get('file');
        if (!(sent instanceof File)) throw new Error('The file came as a text');
        expect(sent.type).toBe('image/png');
        expect(new Uint8Array(await sent.arrayBuffer())).toEqual(file);
      }
    }
  });

  test('the parts of multipart/mixed', () => {
    const [message] = telling(`{ multipart/mixed: { itemSchema: ${note} } }`).write([written]);
    expect(message?.headers['Content-Type']).toMatch(/^multipart\/mixed; boundary=/);
    expect(Buffer.from(message?.body ?? '').toString()).toContain('\r\n\r\n{"id":1}\r\n--');
  });

  test.each([
    `application/cbor: { schema: ${note} }`,
    `text/csv: { schema: ${note} }`,
    `multipart/form-data: { schema: { type: array, items: ${note} } }`,
    `multipart/form-data: { schema: { type: object, properties: { id: ${note} } }, encoding: { id: { contentType: application/cbor } } }`,
    `multipart/form-data: { schema: { type: object, properties: { id: ${note} } }, encoding: { id: { contentType: multipart/mixed } } }`,
    `multipart/form-data: { schema: { type: object, properties: { id: ${note} } }, encoding: { id: { headers: { X-A: { required: true, schema: { type: string } } } } } }`,
  ])('or thrown, and told before: %s', (content) => {
    for (const version of ['3.0.4', '3.1.1', '3.2.0']) {
      const { document, write } = telling(`{ ${content} }`, version);
      const key = content.slice(0, content.indexOf(':'));
      expect(() =>
        write(
          content.includes('array')
            ? [written]
            : content.includes('multipart')
              ? { id: written }
              : written,
        ),
      ).toThrow(`The body cannot be written in ${key}`);
      expect(document.diagnostics.map(({ rule }) => rule)).toContain('unusable-body');
    }
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
