/** Lines of JSON, tables and YAML as formats of requests and responses: B07, B08 and R05. */

import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { UntypedHandler } from '../../src/engine/operation/handler';
import { serveDocument } from '../support/serve-document';
import { ask, type Response } from './ask';

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
        '/row': path(
          'row',
          { type: 'array', items: { ...item, additionalProperties: { type: 'integer' } } },
          [csv],
        ),
        '/open': path('open', { type: 'array', items: { ...item, additionalProperties: true } }, [
          csv,
        ]),
        '/strict': path(
          'strict',
          { type: 'array', items: { ...item, additionalProperties: false } },
          [csv],
        ),
        '/one': path('one', { type: 'array', items: { properties: { a: { type: 'integer' } } } }, [
          csv,
        ]),
      },
    },
    handlers: {
      list: handler,
      tree: handler,
      row: handler,
      open: handler,
      strict: handler,
      one: handler,
    },
    maxBodyBytes: 600_000,
  });
  url = served.url;
});

beforeEach(() => {
  body = undefined;
  read = undefined;
});

const post = (name: string, type: string, text: string, accept = '*/*'): Promise<Response> =>
  ask(url, `/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': type, Accept: accept },
    body: text,
  });

const big = 9223372036854775807n;

describe('read', () => {
  const header = 'id,name,price,sold,until\r\n';
  test.each<[title: string, name: string, type: string, text: string, want: unknown]>([
    ...lines.map((type): [string, string, string, string, unknown] => [
      'lines',
      'list',
      type,
      '{"id":9223372036854775807}\n\n {"id":2, "name":"é"}\r\n',
      [{ id: big }, { id: 2n, name: 'é' }],
    ]),
    ['no lines', 'list', 'application/jsonl', '\n', []],
    ['a readOnly property', 'list', 'application/jsonl', '{"id":1,"made":5}', [{ id: 1n }]],
    [
      'a table',
      'list',
      csv,
      `${header}9223372036854775807,é,1.5,true,2026-01-02\r\n`,
      [{ id: big, name: 'é', price: 1.5, sold: true, until: '2026-01-02' }],
    ],
    [
      'a table of lines',
      'list',
      csv,
      'name,id\n"a ""b"",\nc",1\n5,2',
      [
        { id: 1n, name: 'a "b",\nc' },
        { id: 2n, name: '5' },
      ],
    ],
    ['empty cells', 'list', csv, `${header}1,,,,`, [{ id: 1n, name: '', price: null }]],
    ['a table behind a byte-order mark', 'list', csv, '\uFEFFid\n1', [{ id: 1n }]],
    ['a header row alone', 'list', csv, header, []],
    ['blank lines between rows', 'list', csv, 'id,name\n\n1,a\n\n', [{ id: 1n, name: 'a' }]],
    ['a blank line as a row', 'one', csv, 'a\n1\n\n3\n', [{ a: 1 }, {}, { a: 3 }]],
    ['a declared header', 'list', 'text/csv; header=present', 'id\n1', [{ id: 1n }]],
    ['a column that nothing asks for', 'list', csv, 'id,__proto__,x\n1,a,2', [{ id: 1n }]],
    [
      'an undeclared column',
      'open',
      csv,
      'id,__proto__,x\n1,a,2',
      [
        JSON.parse('{"__proto__":"a","x":"2"}', (key, value) =>
          key === '' ? { id: 1n, ...value } : value,
        ),
      ],
    ],
    ['an undeclared column with a schema', 'row', csv, 'id,x\n1,2', [{ id: 1n, x: 2 }]],
    ...yamls.map((type): [string, string, string, string, unknown] => [
      'YAML',
      'tree',
      type,
      'id: 9223372036854775807\nchildren:\n  - {id: 0x10, name: "no"}\n  - id: 1.0\n    name: 2026-01-02 # a text\n',
      {
        id: big,
        children: [
          { id: 16n, name: 'no' },
          { id: 1n, name: '2026-01-02' },
        ],
      },
    ]),
    ['YAML that is JSON', 'tree', 'application/yaml', '{"id":5}', { id: 5n }],
    ['aliases', 'list', 'application/yaml', '- &a {id: 1}\n- *a\n', [{ id: 1n }, { id: 1n }]],
    ...jsons.map((type): [string, string, string, string, unknown] => [
      'JSON',
      'tree',
      type,
      '{"id":5}',
      { id: 5n },
    ]),
    ...xmls.map((type): [string, string, string, string, unknown] => [
      'XML',
      'tree',
      type,
      '<object><id>5</id></object>',
      { id: 5n },
    ]),
  ])('B07 %s: %s %s', async (_title, name, type, text, want) => {
    const response = await post(name, type, text);
    expect([response.status, read]).toEqual([200, want]);
  });

  const deep = '['.repeat(200);
  const laughs = Array.from(
    { length: 20 },
    (_, at) => `a${at}: &a${at} [${at === 0 ? 1 : `*a${at - 1}, *a${at - 1}, *a${at - 1}`}]\n`,
  ).join('');

  test.each<[title: string, name: string, type: string, text: string, fault: string]>([
    [
      'a list over lines',
      'list',
      lines[0] ?? '',
      '[{"id":1},\n{"id":2}]',
      '/0/1 The JSON text is malformed at line 1, column 11',
    ],
    [
      'half a line',
      'list',
      lines[0] ?? '',
      '{"id":1}\n{"id":',
      '/1/id The JSON text is malformed at line 2, column 7',
    ],
    [
      'two values on a line',
      'list',
      lines[0] ?? '',
      '{"id":1}{"id":2}',
      '/0 The JSON text is malformed at line 1, column 9',
    ],
    ['a line of another type', 'list', lines[0] ?? '', '{"id":1}\n5', '/1 '],
    ['a text for a number', 'list', csv, 'id\nfive', '/0/id '],
    ['a half number', 'list', csv, 'id\n5x', '/0/id '],
    ['an int64 beyond its range', 'list', csv, 'id\n9223372036854775808', '/0/id '],
    [
      'a required cell that is empty',
      'list',
      csv,
      'id,name\n,a',
      '/0/id must have the property "id"',
    ],
    ['a missing column', 'list', csv, 'name\na', '/0/id must have the property "id"'],
    ['a text that is too long', 'list', csv, 'id,name\n1,abcdefghijk', '/0/name '],
    ['a column twice', 'list', csv, 'id,id\n1,2', ' The header row names a column twice'],
    ['a short row', 'list', csv, 'id,name\n1,a\n2', '/1 The row at line 3 has 1 cells'],
    ['a long row', 'list', csv, 'id,name\n1,a,b', '/0 The row at line 2 has 3 cells'],
    [
      'a quote inside of a cell',
      'list',
      csv,
      'id,name\n1,a"b"',
      ' The CSV text is malformed at line 2',
    ],
    [
      'a quote without an end',
      'list',
      csv,
      'id,name\n1,"b',
      ' The CSV text is malformed at line 2',
    ],
    ['U+0000', 'list', csv, 'id,name\n1,\0', ' The CSV text is malformed: U+0000'],
    ['a column that is forbidden', 'strict', csv, 'id,x\n1,2', '/0/x '],
    [
      'cells beyond the limit',
      'list',
      csv,
      `id\n${'1\n'.repeat(100_001)}`,
      ' The CSV text is malformed at line 100',
    ],
    ['a key twice', 'tree', 'text/yaml', 'id: 1\nid: 2\n', ' The YAML text is malformed at line 2'],
    ['a tab', 'tree', 'text/yaml', 'children:\n\t- 1\n', ' The YAML text is malformed at line 2'],
    [
      'two YAML documents',
      'tree',
      'text/yaml',
      'id: 1\n---\nid: 2\n',
      ' The YAML text is malformed at line 2',
    ],
    ['an unknown alias', 'tree', 'text/yaml', 'id: *a\n', ' The YAML text is malformed at line 1'],
    [
      'an alias within itself',
      'tree',
      'text/yaml',
      'children: &a [*a]\n',
      ' The YAML text is malformed',
    ],
    ['YAML too deep', 'tree', 'text/yaml', deep, ' The YAML text has too many'],
    ['YAML too repetitive', 'tree', 'text/yaml', laughs, ' The YAML text has too many'],
    ['YAML too long', 'tree', 'text/yaml', 'a: 1\n'.repeat(40_000), ' The YAML text has too many'],
    [
      'an escaped U+0000',
      'list',
      'text/yaml',
      '- {id: 1, name: "\\0"}',
      ' The YAML text is malformed: U+0000',
    ],
    [
      'a number beyond all',
      'list',
      'text/yaml',
      '- {id: 1, price: .inf}',
      ' The YAML text has a number',
    ],
    ['YAML types are strict', 'list', 'text/yaml', '- {id: 1, name: 5}', '/0/name '],
  ])('B07 refused: %s (%s %s)', async (_title, name, type, text, fault) => {
    const response = await post(name, type, text);
    const { errors = [] } = JSON.parse(response.body);
    expect([response.status, read]).toEqual([400, undefined]);
    expect(`${errors[0]?.path} ${errors[0]?.message}`).toContain(fault);
  });

  test('B04 a table without a header row is not taken', async () => {
    expect((await post('one', 'text/csv; header=absent', '1\n')).status).toBe(415);
  });
});

describe('write', () => {
  const items = [
    { id: big, name: 'a "b",\nc', price: null, sold: false, secret: 's', more: 1 },
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
    expect([response.status, response.headers['content-type'], response.body]).toEqual([
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
