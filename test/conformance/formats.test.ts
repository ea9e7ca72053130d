/** Lines of JSON, tables and YAML as formats of requests and responses: B07, B08 and R05. */

import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { UntypedHandler } from '../../src/engine/operation/handler';
import type { Answered } from '../support/ask';
import { serveDocument } from '../support/serve-document';
import { casesOf, readValue, rowsOf } from '../support/text-cases';
import { ask } from './ask';

const item = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string', maxLength: 10 },
    price: { type: 'number', nullable: true },
    sold: { type: 'boolean' },
    until: { type: 'string', format: 'date' },
    made: { type: 'integer', readOnly: true },
    secret: { type: 'string', writeOnly: true },
  },
};
const list = { type: 'array', items: item };
const tree = {
  type: 'object',
  properties: { id: { type: 'integer', format: 'int64' }, children: list },
};

/** The rows of tables, by the name of their operation. */
const tables = {
  open: { ...item, additionalProperties: true },
  strict: { ...item, additionalProperties: false },
  one: { properties: { a: { type: 'integer' } } },
};

const lines = ['application/x-ndjson', 'application/jsonl', 'application/x-jsonlines'];
const yamls = ['application/yaml', 'application/x-yaml', 'text/yaml', 'application/vnd.a+yaml'];
const csv = 'text/csv';
const jsons = ['application/vnd.api+json', 'application/problem+json'];
const xmls = ['application/problem+xml', 'image/svg+xml'];

let url = '';
let body: unknown;
let read: unknown;
/** Gives what a test says, and remembers what came. */
const handler: UntypedHandler = (request) => {
  read = request.body;
  return { status: 200, body: body ?? request.body };
};

const contentOf = (schema: object, types: readonly string[]) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema }])),
});

const path = (operationId: string, schema: object, types: readonly string[]) => ({
  post: {
    operationId,
    requestBody: contentOf(schema, types),
    responses: { 200: { description: 'Fine', ...contentOf(schema, types) } },
  },
});

beforeAll(async () => {
  const structured = [...yamls, ...jsons, ...xmls];
  const served = await serveDocument({
    document: {
      paths: {
        '/list': path('list', list, [...lines, csv, ...structured]),
        '/tree': path('tree', tree, structured),
        ...Object.fromEntries(
          Object.entries(tables).map(([name, items]) => [
            `/${name}`,
            path(name, { type: 'array', items }, [csv]),
          ]),
        ),
      },
    },
    handlers: Object.fromEntries(
      ['list', 'tree', ...Object.keys(tables)].map((name) => [name, handler]),
    ),
    maxBodyBytes: 600_000,
  });
  url = served.url;
});

beforeEach(() => {
  body = undefined;
  read = undefined;
});

const post = (name: string, type: string, text: string, accept = '*/*'): Promise<Answered> =>
  ask(url, `/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': type, Accept: accept },
    body: text,
  });

/** Expects that the body was refused, the handler never called, and the first fault told. */
const expectRefusal = ({ status, text }: Answered, fault: string): void => {
  const { errors = [] } = JSON.parse(text);
  expect([status, read]).toEqual([400, undefined]);
  expect(`${errors[0]?.path} ${errors[0]?.message}`).toContain(fault);
};

describe.each(casesOf(join(__dirname, 'formats.cases.txt')))('%s', (_title, rows) => {
  test.each(rowsOf(rows))(
    '%s (%s %s)',
    async (_name, name = '', type = '', text = '', want = '') => {
      const response = await post(name, type, JSON.parse(text));
      if (want.startsWith('refused: ')) expectRefusal(response, want.slice('refused: '.length));
      else expect([response.status, read]).toEqual([200, readValue(want)]);
    },
  );
});

const laughs = Array.from(
  { length: 20 },
  (_, at) => `a${at}: &a${at} [${at === 0 ? 1 : `*a${at - 1}, *a${at - 1}, *a${at - 1}`}]\n`,
).join('');

test.each([
  ['cells beyond the limit', 'list', csv, `id\n${'1\n'.repeat(100_001)}`, 'more than 100000 cells'],
  ['YAML too deep', 'tree', 'text/yaml', '['.repeat(200), 'The YAML text has too many'],
  ['YAML too repetitive', 'tree', 'text/yaml', laughs, 'The YAML text has too many'],
  ['YAML too long', 'tree', 'text/yaml', 'a: 1\n'.repeat(40_000), 'The YAML text has too many'],
])('B07 refused: %s', async (_title, name, type, text, fault) => {
  expectRefusal(await post(name, type, text), fault);
});

test('B04 a table without a header row is not taken', async () => {
  expect((await post('one', 'text/csv; header=absent', '1\n')).status).toBe(415);
});

describe('write', () => {
  const items = [
    { id: 9223372036854775807n, name: 'a "b",\nc', price: null, sold: false, secret: 's', more: 1 },
    { id: 2n, name: '', price: 0.5, until: '2026-01-02', made: 7 },
    { id: 3n, name: 'no' },
  ];
  test.each<[type: string, value: unknown, contentType: string, text: string]>([
    [
      'application/jsonl',
      items,
      'application/jsonl',
      '{"id":9223372036854775807,"name":"a \\"b\\",\\nc","price":null,"sold":false,"more":1}\n' +
        '{"id":2,"name":"","price":0.5,"until":"2026-01-02","made":7}\n{"id":3,"name":"no"}\n',
    ],
    ['application/x-ndjson', [], 'application/x-ndjson', ''],
    [
      csv,
      items,
      'text/csv; charset=utf-8',
      'id,name,price,sold,until,made\r\n9223372036854775807,"a ""b"",\nc",,false,,\r\n' +
        '2,,0.5,,2026-01-02,7\r\n3,no,,,,\r\n',
    ],
    [csv, [], 'text/csv; charset=utf-8', 'id,name,price,sold,until,made\r\n'],
    [
      'application/yaml',
      items,
      'application/yaml',
      '- id: 9223372036854775807\n  name: |-\n    a "b",\n    c\n  price: null\n  sold: false\n  more: 1\n' +
        '- id: 2\n  name: ""\n  price: 0.5\n  until: "2026-01-02"\n  made: 7\n- id: 3\n  name: "no"\n',
    ],
    ['text/yaml', [], 'text/yaml; charset=utf-8', '[]\n'],
  ])('R05 %s %#', async (type, value, contentType, text) => {
    body = value;
    const response = await post('list', jsons[0] ?? '', '[]', type);
    expect([response.status, response.headers['content-type'], response.text]).toEqual([
      200,
      contentType,
      text,
    ]);
  });

  test('R05 an answer that does not fit is still a 500', async () => {
    body = [{ name: 'a' }];
    expect((await post('list', jsons[0] ?? '', '[]', csv)).status).toBe(500);
  });
});

describe('a charset in the key', () => {
  test.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['application/json; charset=utf-16', 415],
  ])('B03 a body of type %s', async (type, status) => {
    const { url: origin } = await serveDocument({
      document: {
        paths: { '/a': path('a', tree, ['application/json; charset=utf-8']) },
      },
      handlers: { a: () => ({ status: 200, body: { id: 5n } }) },
    });
    const answer = (accept: string) =>
      ask(origin, '/a', {
        method: 'POST',
        headers: { 'Content-Type': type, Accept: accept },
        body: '{"id":5}',
      });
    expect((await answer('application/json')).status).toBe(status);
    const { status: other, headers } = await answer('application/json; charset=utf-8');
    expect([other, headers['content-type']]).toEqual([
      status,
      status === 200 ? 'application/json; charset=utf-8' : 'application/json',
    ]);
  });
});
