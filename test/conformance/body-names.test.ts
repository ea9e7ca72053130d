/** The bound of names in one object, element or form of a body, in every format; items of a list do not count. */

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { fullText, tableOf } from '../support/text-cases';
import { ask } from './ask';

const [json, xml, form] = [
  'application/json',
  'application/xml',
  'application/x-www-form-urlencoded',
];
const [yaml, lines, csv] = ['application/yaml', 'application/x-ndjson', 'text/csv'];
const multipart = 'multipart/form-data; boundary=b';
/** The media types by their names in the cases. */
const types: Readonly<Record<string, string>> = { json, xml, form, multipart, yaml, lines, csv };

const free = { type: 'object', xml: { name: 'o' } };
const rows = { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } };
const typed = {
  ...free,
  properties: {
    list: { type: 'array', items: { type: 'string' } },
    inner: { type: 'object', properties: { a: { type: 'string' } } },
  },
};

const path = (schema: object, ...types: string[]) => ({
  post: {
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) },
    responses: { 200: { description: 'Fine' } },
  },
});

const structured = [json, xml, form, 'multipart/form-data', yaml];
const document = {
  paths: {
    '/free': path(free, ...structured),
    '/typed': path(typed, ...structured),
    '/rows': path(rows, lines, csv, json, yaml),
  },
};

let few = '';
let usual = '';
beforeAll(async () => {
  const handlers = {};
  const services = [5, undefined].map((maxBodyNames) =>
    serveDocument({
      document,
      handlers,
      mocks: true,
      maxBodyBytes: 1_000_000,
      ...(maxBodyNames && { maxBodyNames }),
    }),
  );
  [few, usual] = (await Promise.all(services)).map(({ url }) => url) as [string, string];
});

const send = async (url: string, target: string, type: string, body: string) => {
  const asked = { method: 'POST', headers: { 'Content-Type': type }, body };
  const { status, text } = await ask(url, target, asked);
  // A field whose text is no JSON within the limits stays text.
  return [status, /too many names|must be an object, not a text/.test(text)];
};

/** A title, where a body is sent and in which type, and the body with a count of something. */
type Kind = readonly [string, string, string, (count: number) => string];

const kindsOf = (title: string): Kind[] =>
  tableOf(join(__dirname, 'body-names.cases.txt'), title).map(
    ([name = '', target = '', type = '', body = '']) => [
      name,
      target,
      types[type] ?? type,
      (count) => fullText(body, { count }),
    ],
  );

/** Bodies with that many names in one place. */
const kinds = kindsOf('names');

describe('the names of a body:', () => {
  test.each(kinds)(
    '%s may be as many as the limit says: %s %s',
    async (_, target, type, bodyOf) => {
      const text = bodyOf(5);
      const [status, isNamed] = await send(few, target, type, text);
      expect([text, isNamed]).toEqual([text, false]);
      expect([200, 400]).toContain(status);
      expect(await send(few, target, type, bodyOf(6))).toEqual([400, true]);
    },
  );

  test.each(kinds)('%s beyond 1,000 are refused: %s %s', async (title, target, type, bodyOf) => {
    const [status, isNamed] = await send(usual, target, type, bodyOf(1001));
    // Of parts there are no more than 1,000 anyway.
    expect([status, isNamed]).toEqual([400, title !== 'parts']);
  });

  // Of many parts without names.
  test.each(kindsOf('items'))(
    '%s may be more than there may be names: %s %s',
    async (_, target, type, bodyOf) => {
      expect(await send(usual, target, type, bodyOf(1500))).toEqual([200, false]);
    },
  );
});
