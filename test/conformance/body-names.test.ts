/** The bound of names in one object, element or form of a body, in every format; items of a list do not count. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask } from './ask';

const json = 'application/json';
const xml = 'application/xml';
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const yaml = 'application/yaml';
const lines = 'application/x-ndjson';
const csv = 'text/csv';

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

/** Texts of each number below the count, joined. */
const each = (count: number, text: (index: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator);
const members = (count: number): string => `{${each(count, (n) => `"n${n}":1`, ',')}}`;
const part = (name: string, value = '1'): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const send = async (url: string, target: string, type: string, body: string) => {
  const asked = { method: 'POST', headers: { 'Content-Type': type }, body };
  const { status, text } = await ask(url, target, asked);
  // A field whose text is no JSON within the limits stays text.
  return [status, /too many names|must be an object, not a text/.test(text)];
};

/** A title, where a body is sent and in which type, and the body with a count of something. */
type Kind = readonly [string, string, string, (count: number) => string];

/** Bodies with that many names in one place. */
const kinds: readonly Kind[] = [
  ['members', '/free', json, members],
  ['members that nothing asks for', '/typed', json, members],
  ['members within', '/free', json, (count) => `{"a":[${members(count)}]}`],
  [
    'members beside a long number',
    '/free',
    json,
    (n) => `{"a":12345678901234567,"b":${members(n)}}`,
  ],
  ['elements', '/free', xml, (count) => `<o>${each(count, (n) => `<n${n}/>`)}</o>`],
  [
    'elements among others',
    '/free',
    xml,
    (count) => `<o>${each(count, (n) => `<n${n}/><n0/>`)}</o>`,
  ],
  ['attributes', '/free', xml, (count) => `<o><a ${each(count, (n) => `n${n}=""`, ' ')}/></o>`],
  ['fields', '/free', form, (count) => each(count, (n) => `n${n}=1`, '&')],
  ['fields within', '/free', form, (count) => each(count, (n) => `a[n${n}]=1`, '&')],
  ['numbers as names', '/free', form, (count) => each(count, (n) => `a[${n}]=1`, '&')],
  [
    'numbers as names of an object',
    '/typed',
    form,
    (count) => each(count, (n) => `inner[${n}]=1`, '&'),
  ],
  ['members in a field', '/typed', form, (count) => `inner=${members(count)}`],
  ['parts', '/free', multipart, (count) => `${each(count, (n) => part(`n${n}`))}--b--\r\n`],
  [
    'members in a part',
    '/typed',
    multipart,
    (count) => `${part('inner', members(count))}--b--\r\n`,
  ],
  ['members of YAML', '/free', yaml, (count) => each(count, (n) => `n${n}: 1`, '\n')],
  ['members of YAML that is JSON', '/free', yaml, members],
  ['members of a line', '/rows', lines, (count) => `{"a":"1"}\n${members(count)}`],
  ['columns', '/rows', csv, (count) => `${each(count, (n) => `n${n}`, ',')}\n`],
];

/** Bodies of many parts without names. */
const items: readonly Kind[] = [
  ['items', '/free', json, (count) => `{"a":[${each(count, () => '1', ',')}]}`],
  ['objects in a list', '/rows', json, (count) => `[${each(count, () => '{"a":"1"}', ',')}]`],
  ['elements of one name', '/typed', xml, (count) => `<o>${each(count, () => '<list/>')}</o>`],
  ['values of one field', '/typed', form, (count) => each(count, () => 'list=1', '&')],
  ['numbered items', '/typed', form, (count) => each(count, (n) => `list[${n}]=1`, '&')],
  ['items of YAML', '/rows', yaml, (count) => each(count, () => '- a: "1"\n')],
  ['lines', '/rows', lines, (count) => each(count, () => '{"a":"1"}\n')],
  ['rows', '/rows', csv, (count) => `a\n${each(count, () => '1\n')}`],
];

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

  test.each(items)(
    '%s may be more than there may be names: %s %s',
    async (_, target, type, bodyOf) => {
      expect(await send(usual, target, type, bodyOf(1500))).toEqual([200, false]);
    },
  );
});
