/** Numbers of a document at their exact value, whatever their size; chapter "Schema and document", D16. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadApiDocument } from '../../src/engine/document/api-document';
import { documentResponses } from '../../src/engine/operation/service';
import { serveDocument } from '../support/serve-document';
import { ask } from './ask';

/** Spellings of numbers in documents and in JSON. */
const numbers: readonly (readonly [written: string, json: string])[] = [
  ['9007199254740993', '9007199254740993'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['100000000000000000000000000000001', '100000000000000000000000000000001'],
  ['9.007199254740993e15', '9007199254740993'],
  ['1e23', '100000000000000000000000'],
  ['1e400', '1e400'],
  ['-1.50E+400', '-1.5e400'],
  ['1e-400', '1e-400'],
  ['0.1234567890123456789012345', '0.1234567890123456789012345'],
  ['0.1', '0.1'],
  ['1.50', '1.5'],
  ['-0', '0'],
  ['0e5', '0'],
  ['1E3', '1000'],
];

const documentOf = (number: string): string => `{
  "openapi": "3.0.3",
  "info": { "title": "Numbers", "version": "1", "x-list": [1, ${number}] },
  "paths": {},
  "components": { "schemas": { "A": { "type": "number", "example": ${number} } } }
}`;

const jsonOf = (number: string): string =>
  JSON.stringify(JSON.parse(documentOf('"?"'))).replaceAll('"?"', number);

describe('D16 a number of a document is served back exactly', () => {
  test.each(numbers)('D16 %s', async (written, json) => {
    const text = documentOf(written);
    const { url } = await serveDocument({ document: text });
    expect((await ask(url, '/openapi.json')).body).toBe(jsonOf(json));
    expect((await ask(url, '/openapi.yaml')).body).toBe(text);
  });

  test.each([
    ['+1.5', '1.5'],
    ['.5', '0.5'],
    ['0x20000000000001', '9007199254740993'],
    ['1.e400', '1e400'],
  ])('D16 %s, as YAML alone writes it', async (written, json) => {
    const { url } = await serveDocument({ document: documentOf(written) });
    expect((await ask(url, '/openapi.json')).body).toBe(jsonOf(json));
  });

  test('D16 by an alias and a merge key', async () => {
    const anchors = 'x-a: &a 1e400\nx-b: &b { c: *a }\nx-d: { <<: *b }';
    const { url } = await serveDocument({
      document: `openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\n${anchors}`,
    });
    expect((await ask(url, '/openapi.json')).body).toContain(
      '"x-a":1e400,"x-b":{"c":1e400},"x-d":{"c":1e400}',
    );
  });

  const folder = mkdtempSync(join(tmpdir(), 'numbers-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('D16 from another file', async () => {
    const example = ['9007199254740993', '1e400', '0.1234567890123456789012345'];
    writeFileSync(join(folder, 'part.yaml'), `A: { example: [${example}] }`);
    writeFileSync(
      join(folder, 'root.yaml'),
      "openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\ncomponents: { schemas: { A: { $ref: 'part.yaml#/A' } } }",
    );
    const document = await loadApiDocument(join(folder, 'root.yaml'));
    const bodyAt = async (path: string) =>
      String((await documentResponses(document)('GET', path))?.body);
    expect(await bodyAt('/openapi.json')).toContain(
      '"example":[9007199254740993,1e400,0.1234567890123456789012345]',
    );
    const written = /example:\s+- (\S+)\s+- (\S+)\s+- (\S+)/.exec(await bodyAt('/openapi.yaml'));
    expect(written?.slice(1)).toEqual(example);
    expect(parse(await bodyAt('/openapi.yaml'))).toMatchObject({ openapi: '3.0.3' });
  });
});

describe('D16 a number of a message keeps its digits', () => {
  const schema = `{ type: object, xml: { name: o }, properties: { a: { type: number }, i: { type: integer },
    d: { type: number, format: double }, u: { type: integer, format: uint64 }, t: { type: [number, string] },
    b: { oneOf: [{ type: number }, { type: boolean }] }, l: { type: array, items: { type: number } } } }`;
  const medias = [
    'application/json',
    'application/xml',
    'application/yaml',
    'application/x-www-form-urlencoded',
  ];
  const content = medias.map((media) => `${media}: { schema: { $ref: '#/components/schemas/O' } }`);
  const document = `openapi: 3.2.0
info: { title: Numbers, version: '1' }
paths:
  /o:
    post:
      operationId: o
      parameters: [{ name: q, in: query, schema: { type: array, items: { type: number } } }]
      requestBody: { required: true, content: { ${content} } }
      responses:
        '200':
          description: Echo
          headers: { X-A: { schema: { type: number, minimum: 0.1234567890123456789 } } }
          content: { ${content} }
  /lines:
    post:
      operationId: lines
      requestBody: { required: true, content: { application/jsonl: { itemSchema: { type: number } } } }
      responses: { '200': { description: Echo, content: { application/jsonl: { itemSchema: { type: number } } } } }
components: { schemas: { O: ${schema} } }`;

  const wanted = {
    a: '0.1234567890123456789',
    i: 9007199254740993n,
    d: 0.12345678901234568,
    u: 18446744073709551615n,
    t: '72057594037927937.25',
    b: '1.5e-400',
    l: [0.5, 10n ** 45n + 1n, '-0.12345678901234567891'],
  };
  const whole = `1${'0'.repeat(44)}1`;
  const sent = {
    'application/json': `{"a":0.1234567890123456789,"i":9007199254740993,"d":0.1234567890123456789,"u":18446744073709551615,"t":72057594037927937.25,"b":1.5e-400,"l":[0.50,${whole},-0.12345678901234567891]}`,
    'application/xml': `<o><a>0.1234567890123456789</a><i>9007199254740993</i><d>0.1234567890123456789</d><u>18446744073709551615</u><t>72057594037927937.25</t><b>1.5e-400</b><l>0.50</l><l>${whole}</l><l>-0.12345678901234567891</l></o>`,
    'application/yaml': `a: 0.1234567890123456789\ni: 9007199254740993\nd: 0.1234567890123456789\nu: 18446744073709551615\nt: 72057594037927937.25\nb: 1.5e-400\nl: [0.50, ${whole}, -0.12345678901234567891]\n`,
    'application/x-www-form-urlencoded': `a=0.1234567890123456789&i=9007199254740993&d=0.1234567890123456789&u=18446744073709551615&t=72057594037927937.25&b=1.5e-400&l=0.50&l=${whole}&l=-0.12345678901234567891`,
  };
  const answered = {
    'application/json': `{"a":0.1234567890123456789,"i":9007199254740993,"d":0.12345678901234568,"u":18446744073709551615,"t":"72057594037927937.25","b":1.5e-400,"l":[0.5,${whole},-0.12345678901234567891]}`,
    'application/xml': `<?xml version="1.0" encoding="UTF-8"?>\n<o><a>0.1234567890123456789</a><i>9007199254740993</i><d>0.12345678901234568</d><u>18446744073709551615</u><t>72057594037927937.25</t><b>1.5e-400</b><l>0.5</l><l>${whole}</l><l>-0.12345678901234567891</l></o>`,
    'application/yaml': `a: 0.1234567890123456789\ni: 9007199254740993\nd: 0.12345678901234568\nu: 18446744073709551615\nt: "72057594037927937.25"\nb: 1.5e-400\nl:\n  - 0.5\n  - ${whole}\n  - -0.12345678901234567891\n`,
    'application/x-www-form-urlencoded': `a=0.1234567890123456789&i=9007199254740993&d=0.12345678901234568&u=18446744073709551615&t=72057594037927937.25&b=1.5e-400&l=0.5&l=${whole}&l=-0.12345678901234567891`,
  };

  test.each(Object.entries(sent))('D16 %s', async (type, body) => {
    const given: unknown[] = [];
    const { url } = await serveDocument({
      document,
      handlers: {
        o({ body, query }) {
          given.push(body, query);
          return { status: 200, body, headers: { 'X-A': '0.1234567890123456789' } };
        },
      },
    });
    const headers = { 'Content-Type': type, Accept: type };
    const query = '?q=0.1234567890123456789&q=9007199254740993&q=1';
    const response = await ask(url, `/o${query}`, { method: 'POST', headers, body });
    expect(given).toEqual([wanted, { q: ['0.1234567890123456789', 9007199254740993n, 1] }]);
    expect(response).toMatchObject({ status: 200, headers: { 'x-a': '0.1234567890123456789' } });
    expect(response.body).toBe(answered[type as keyof typeof answered]);
  });

  test('D16 lines', async () => {
    const given: unknown[] = [];
    const { url } = await serveDocument({
      document,
      handlers: {
        async lines({ body }) {
          for await (const item of body as AsyncIterable<unknown>) given.push(item);
          return { status: 200, body: given };
        },
      },
    });
    const headers = { 'Content-Type': 'application/jsonl' };
    const body = '0.1234567890123456789\n9007199254740993\n5e-1\n';
    const response = await ask(url, '/lines', { method: 'POST', headers, body });
    expect(given).toEqual(['0.1234567890123456789', 9007199254740993n, 0.5]);
    expect(response.body).toBe('0.1234567890123456789\n9007199254740993\n0.5\n');
  });

  test('D16 a request cannot send a text for a number', async () => {
    const { url } = await serveDocument({ document, handlers: { o: () => ({ status: 200 }) } });
    const headers = { 'Content-Type': 'application/json' };
    const body = '{"a":"0.5"}';
    expect((await ask(url, '/o', { method: 'POST', headers, body })).status).toBe(400);
  });

  test.each([
    ['a text that is no number', { a: 'x' }],
    ['a number as JSON does not write it', { a: '.5' }],
    ['a number without a fraction, as a text in the place of an integer', { i: '5' }],
    ['a number that was rounded', { i: 2 ** 53 }],
    ['a number beyond its range', { u: 2n ** 64n }],
  ])('D16 a handler cannot send %s', async (_title, body) => {
    const { url } = await serveDocument({
      document,
      handlers: { o: () => ({ status: 200, body }) },
    });
    const headers = { 'Content-Type': 'application/json' };
    expect((await ask(url, '/o', { method: 'POST', headers, body: '{}' })).status).toBe(500);
  });
});
