/** Values by the keywords of OpenAPI 3.1: what handlers get, and what is written back in the format that it came in. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { UntypedHandler } from '../../src/engine/operation/handler';
import { serveDocument } from '../support/serve-document';
import { valuesOf } from '../support/text-cases';
import { ask } from './ask';

const cases = join(__dirname, 'values-2020-12.cases.txt');

const int64 = { type: 'integer', format: 'int64' };
const { schemas, oneWay, parameters, upload } = parse(
  readFileSync(join(__dirname, 'values-2020-12.yaml'), 'utf8'),
);

const formats = ['application/json', 'application/xml', 'application/x-www-form-urlencoded'];

/** Serves each schema under its name: the body comes back as it was read. */
const served = (seen: unknown[]) => {
  const echo: UntypedHandler = ({ body }) => {
    seen.push(body);
    return { status: 200, body };
  };
  const operationsOf = Object.keys(schemas).map((name) => {
    const schema = { $ref: `#/components/schemas/${name}` };
    const contentOf = (types: readonly string[]) =>
      Object.fromEntries(types.map((type) => [type, { schema }]));
    const responses = { 200: { description: 'The same', content: contentOf(formats) } };
    const requestBody = { required: true, content: contentOf(formats) };
    return [`/${name}`, { post: { operationId: name, requestBody, responses } }] as const;
  });
  const uploaded = { requestBody: { content: { 'multipart/form-data': { schema: upload } } } };
  const responses = { 204: { description: 'Done' } };
  const noted = (of: unknown) => {
    seen.push(of);
    return { status: 204 };
  };
  const octets = { post: { operationId: 'Octets', requestBody: { content: { 'image/png': {} } } } };
  return serveDocument({
    document: {
      openapi: '3.1.2',
      components: { schemas },
      paths: {
        ...Object.fromEntries(operationsOf),
        '/Octets': { post: { ...octets.post, responses } },
        '/Query': { get: { operationId: 'Query', parameters, responses } },
        '/Upload': { post: { operationId: 'Upload', ...uploaded, responses } },
      },
    },
    handlers: {
      ...Object.fromEntries(Object.keys(schemas).map((name) => [name, echo])),
      Octets: ({ body }) => noted(body),
      Query: ({ query: given }) => noted(given),
      Upload: ({ body }) => noted(body),
    },
  });
};

const most = '9223372036854775807';
const xml = (root: string, inner: string) => `<${root}>${inner}</${root}>`;

describe.each(
  valuesOf<[rule: string, name: string, subtype: string, sent: string, read: object]>(
    cases,
    'bodies',
  ),
)('%s', (_rule, name, subtype, sent, read) => {
  const type = `application/${subtype}`;
  test(`${type} ${sent}`, async () => {
    const seen: unknown[] = [];
    const { url, errors } = await served(seen);
    const headers = { 'Content-Type': type, Accept: type };
    const answer = await ask(url, `/${name}`, { method: 'POST', headers, body: sent });
    expect([answer.status, seen, errors]).toEqual([200, [read], []]);
    expect(answer.text).toContain(sent);
  });
});

test('V19 octets where no schema says more, and their type is not text', async () => {
  const seen: unknown[] = [];
  const { url } = await served(seen);
  const headers = { 'Content-Type': 'image/png' };
  const body = new Uint8Array([0, 255, 1]);
  const { status } = await ask(url, '/Octets', { method: 'POST', headers, body });
  expect([status, seen.map((one) => one instanceof Uint8Array && [...one])]).toEqual([
    204,
    [[0, 255, 1]],
  ]);
});

test.each<[type: string, sent: string, read: unknown]>([
  ['application/json', `{"id":${most},"a":[1,null]}`, { id: 2n ** 63n - 1n, a: [1, null] }],
  ['application/json', `${most}`, 2n ** 63n - 1n],
  ['application/x.y+json', '"a"', 'a'],
  ['text/plain', '5', '5'],
  ['text/csv', 'a;b', Buffer.from('a;b')],
  ['application/x-www-form-urlencoded', 'a=1&b=2&b=3', { a: '1', b: ['2', '3'] }],
  ['application/xml', xml('object', '<a>1</a><b>2</b><b>3</b>'), { a: '1', b: ['2', '3'] }],
  ['application/yaml', 'a: 1\nb:\n  - 2\n  - x\n', { a: 1, b: [2, 'x'] }],
  ['application/x-ndjson', '1\n{"a":2}\n', Buffer.from('1\n{"a":2}\n')],
])('V19 a content without a schema, by its media type: %s %s', async (type, sent, read) => {
  for (const content of [{ [type]: {} }, { [type]: { schema: {} } }]) {
    const seen: unknown[] = [];
    const { url, errors } = await serveDocument({
      document: {
        openapi: '3.1.2',
        paths: {
          '/a': {
            post: {
              operationId: 'a',
              requestBody: { required: true, content },
              responses: { 200: { description: 'The same', content } },
            },
          },
        },
      },
      handlers: {
        a: ({ body }) => {
          seen.push(body);
          return { status: 200, body };
        },
      },
    });
    const headers = { 'Content-Type': type, Accept: type };
    const answer = await ask(url, '/a', { method: 'POST', headers, body: sent });
    expect([answer.status, seen, errors]).toEqual([200, [read], []]);
    expect(answer.text.replace(/^<\?.*\n/, '')).toBe(sent);
  }
});

test.each([
  [`id=${most}&either=7&kind=5`, { id: 2n ** 63n - 1n, either: 7, kind: 5, size: 3 }],
  ['either=a&size=4', { either: 'a', size: 4 }],
  ['at=8&at=7&at=true', { at: [8n, '7', true] }],
])(
  'V20 V22 parameters of several types, a constant, and the nearest default: %s',
  async (sent, read) => {
    const seen: unknown[] = [];
    const { url } = await served(seen);
    const { status } = await ask(url, `/Query?${sent}`);
    expect([status, seen]).toEqual([204, [expect.objectContaining(read)]]);
  },
);

test('V21 a part is octets by its media type, and encoded octets stay a text', async () => {
  const seen: unknown[] = [];
  const { url } = await served(seen);
  const part = (name: string, more: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const body = `${part('file', '; filename="a.png"\r\nContent-Type: image/png', 'ab')}${part('note', '', 'YWI=')}--b--\r\n`;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const { status } = await ask(url, '/Upload', { method: 'POST', headers, body });
  expect([status, seen]).toEqual([204, [{ file: new Uint8Array([97, 98]), note: 'YWI=' }]]);
});

test.each(formats)('V16 readOnly and writeOnly by pattern: %s', async (type) => {
  const content = Object.fromEntries(formats.map((one) => [one, { schema: oneWay }]));
  const seen: unknown[] = [];
  const responses = { 200: { description: 'As it is', content } };
  const { url, errors } = await serveDocument({
    document: {
      openapi: '3.1.2',
      paths: { '/a': { post: { operationId: 'a', requestBody: { content }, responses } } },
    },
    handlers: {
      a: ({ body }) => {
        seen.push(body);
        return { status: 200, body: Object.assign({ r1: 3n }, body) };
      },
    },
  });
  const send = (body: string) =>
    ask(url, '/a', { method: 'POST', headers: { 'Content-Type': type, Accept: type }, body });
  const write = (object: Readonly<Record<string, number>>): string => {
    const pairs = Object.entries(object);
    if (type.endsWith('json')) return JSON.stringify(object);
    return type.endsWith('xml')
      ? xml('root', pairs.map(([name, value]) => xml(name, String(value))).join(''))
      : pairs.map((pair) => pair.join('=')).join('&');
  };
  const texts = [write({ w1: 2, a: 1 }), write({ r1: 9, w1: 2, a: 1 }), write({ r1: 9, a: 1 })];
  const answers = [];
  for (const text of texts) answers.push(await send(text));
  expect([answers.map(({ status }) => status), errors]).toEqual([[200, 200, 400], []]);
  expect(seen).toEqual([
    { w1: 2n, a: 1 },
    { w1: 2n, a: 1 },
  ]);
  expect(answers[0]?.text).toMatch(/3/);
  expect(answers[0]?.text).not.toMatch(/w1|2</);
});

test.each([
  ['9007199254740993', 400],
  ['9007199254740992', 200],
])('V10 int64 is exact in `not` beside unevaluatedProperties: %s', async (body, status) => {
  const schema = {
    ...int64,
    type: ['integer', 'object'],
    not: { type: 'integer', exclusiveMinimum: 9007199254740992 },
    unevaluatedProperties: false,
  };
  const requestBody = { content: { 'application/json': { schema } } };
  const responses = { 200: { description: 'Done' } };
  const { url } = await serveDocument({
    document: {
      openapi: '3.1.2',
      paths: { '/a': { post: { operationId: 'a', requestBody, responses } } },
    },
    handlers: { a: () => ({ status: 200 }) },
  });
  const headers = { 'Content-Type': 'application/json' };
  expect((await ask(url, '/a', { method: 'POST', headers, body })).status).toBe(status);
});

test.each([
  ['application/x-ndjson', `${most}\n{"a":1}\ntrue\n`],
  ['application/json', `[${most},{"a":1},true]`],
])('V15 a tuple that comes page by page: %s', async (type, text) => {
  const second = { type: 'object', properties: { a: int64, secret: { writeOnly: true } } };
  const schema = { type: 'array', prefixItems: [int64, second], items: { type: 'boolean' } };
  const content = { [type]: { schema } };
  async function* pages() {
    yield [2n ** 63n - 1n, { a: 1n, secret: 'x' }];
    yield [true];
  }
  const responses = { 200: { description: 'The list', content } };
  const seen: unknown[] = [];
  const { url, errors } = await serveDocument({
    document: {
      openapi: '3.1.2',
      paths: { '/a': { post: { operationId: 'a', requestBody: { content }, responses } } },
    },
    handlers: {
      a: ({ body }) => {
        seen.push(body);
        return { status: 200, body: pages() };
      },
    },
  });
  const headers = { 'Content-Type': type, Accept: type };
  const answer = await ask(url, '/a', { method: 'POST', headers, body: text });
  expect([answer.status, answer.text, errors]).toEqual([200, text, []]);
  expect(seen).toEqual([[2n ** 63n - 1n, { a: 1n }, true]]);
});
