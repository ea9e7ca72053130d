/** Numbers of a document at their exact value, whatever their size; chapter "Schema and document", D16. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadApiDocument } from '../../src/engine/document/api-document';
import { documentResponses } from '../../src/engine/operation/service';
import { serveDocument } from '../support/serve-document';
import { readValue, tableOf, valuesOf } from '../support/text-cases';
import { ask } from './ask';

const cases = join(__dirname, 'numbers.cases.txt');

/** Spellings of numbers in documents and in JSON. */
const numbers: readonly (readonly [written: string, json: string])[] = [
  ['9007199254740993', '9007199254740993'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['100000000000000000000000000000001', '100000000000000000000000000000001'],
  ['9.007199254740993e15', '9007199254740993'],
  ['1e23', '1e+23'],
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
    expect((await ask(url, '/openapi.json')).text).toBe(jsonOf(json));
    expect((await ask(url, '/openapi.yaml')).text).toBe(text);
  });

  test.each([
    ['+1.5', '1.5'],
    ['.5', '0.5'],
    ['0x20000000000001', '9007199254740993'],
    ['1.e400', '1e400'],
  ])('D16 %s, as YAML alone writes it', async (written, json) => {
    const { url } = await serveDocument({ document: documentOf(written) });
    expect((await ask(url, '/openapi.json')).text).toBe(jsonOf(json));
  });

  test('D16 by an alias and a merge key', async () => {
    const anchors = 'x-a: &a 1e400\nx-b: &b { c: *a }\nx-d: { <<: *b }';
    const { url } = await serveDocument({
      document: `openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\n${anchors}`,
    });
    expect((await ask(url, '/openapi.json')).text).toContain(
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

/** A document whose bodies are objects `{ v }` of the schema, in all media types, in both directions. */
const documentWith = (schema: string, version = '3.1.0'): string => {
  const medias = ['json', 'xml', 'yaml', 'x-www-form-urlencoded'].map(
    (type) => `application/${type}`,
  );
  const content = [...medias, 'multipart/form-data'].map(
    (media) => `${media}: { schema: { $ref: '#/components/schemas/O' } }`,
  );
  return `openapi: ${version}
info: { title: Numbers, version: '1' }
paths:
  /o/{p}:
    parameters:
      - { name: p, in: path, required: true, schema: { $ref: '#/components/schemas/V' } }
      - { name: q, in: query, schema: { $ref: '#/components/schemas/V' } }
      - { name: d, in: query, style: deepObject, schema: { type: object, properties: { v: { $ref: '#/components/schemas/V' } } } }
      - { name: h, in: header, schema: { $ref: '#/components/schemas/V' } }
      - { name: c, in: cookie, schema: { $ref: '#/components/schemas/V' } }
    post:
      operationId: o
      requestBody: { content: { ${content} } }
      responses:
        '200': { description: Echo, headers: { X-V: { schema: { $ref: '#/components/schemas/V' } } }, content: { ${content.slice(0, 4)} } }
components:
  schemas:
    V: ${schema}
    O: { type: object, xml: { name: o }, properties: { v: { $ref: '#/components/schemas/V' }, l: { type: array, items: { $ref: '#/components/schemas/V' } } } }
`;
};

const echo = () => {
  const given: { v?: unknown }[] = [];
  const handlers = {
    o({ body }: { readonly body: unknown }) {
      given.push(Object(body));
      return { status: 200, body };
    },
  };
  return { given, handlers };
};

const send = async (url: string, type: string, body: string, path = '/o/1') => {
  const { status, text: answer } = await ask(url, path, {
    method: 'POST',
    headers: { 'Content-Type': type, Accept: type.startsWith('multipart') ? '*/*' : type },
    body,
  });
  return { status, answer };
};

describe.each([
  ['application/json', (text: string) => `{"v":${text}}`, (text: string) => `{"v":${text}}`],
  [
    'application/xml',
    (text: string) => `<o><v>${text}</v></o>`,
    (text: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<o><v>${text}</v></o>`,
  ],
  ['application/yaml', (text: string) => `v: ${text}\n`, (text: string) => `v: ${text}\n`],
  [
    'application/x-www-form-urlencoded',
    (text: string) => `v=${text}`,
    (text: string) => `v=${text.replace('+', '%2B')}`,
  ],
  [
    'multipart/form-data; boundary=b',
    (text: string) => `--b\r\nContent-Disposition: form-data; name=v\r\n\r\n${text}\r\n--b--\r\n`,
    (text: string) => `{"v":${text}}`,
  ],
] as const)('D16 numbers in %s', (type, write, answered) => {
  test.each(tableOf(cases, 'numbers of messages'))(
    'D16 %s: %s',
    async (schema = '', sent = '', wanted = '', answer = '') => {
      const { given, handlers } = echo();
      const { url } = await serveDocument({ document: documentWith(schema), handlers });
      const response = await send(url, type, write(sent), `/o/${answer === '' ? '12.5' : sent}`);
      if (answer === '') {
        expect(response.status).toBe(400);
        expect(response.answer).toContain(readValue(wanted));
      } else {
        expect(response).toEqual({ status: 200, answer: answered(answer) });
        expect(given).toEqual([{ v: readValue(wanted) }]);
      }
    },
  );
});

describe('D16 a decimal', () => {
  const decimal = '{ type: number, format: decimal }';

  test.each(['3.0.3', '3.1.0', '3.2.0'])('D16 in parameters and bodies of %s', async (version) => {
    const seen: unknown[] = [];
    const { url } = await serveDocument({
      document: documentWith(decimal, version),
      handlers: {
        o({ path, query, header, cookie, body }) {
          seen.push({ ...path, ...query, ...header, ...cookie, body });
          return { status: 200, headers: { 'X-V': '12.50' }, body };
        },
      },
    });
    const response = await ask(url, '/o/1.10?q=2.20&d[v]=3.30', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', h: '4.40', Cookie: 'c=5.50' },
      body: '{"l":[6.60,7]}',
    });
    expect(seen).toEqual([
      { p: '1.10', q: '2.20', d: { v: '3.30' }, h: '4.40', c: '5.50', body: { l: ['6.60', '7'] } },
    ]);
    expect(response).toMatchObject({ headers: { 'x-v': '12.50' }, text: '{"l":[6.60,7]}' });
  });

  test.each(valuesOf<[schema: string, sent: string, status: number]>(cases, 'numbers of a type'))(
    'D16 %s of %s: %s',
    async (schema, sent, status) => {
      const { handlers } = echo();
      const { url } = await serveDocument({
        document: documentWith(schema).replace(/ {2}\/o.*?post/s, '  /o:\n    post'),
        handlers,
      });
      const response = await send(url, 'application/json', `{"v":${sent}}`, '/o');
      expect(response.status).toBe(status);
      if (status === 200) expect(response.answer).toBe(`{"v":${sent}}`);
    },
  );

  test('D16 by default', async () => {
    const { given, handlers } = echo();
    const document = documentWith(
      '{ type: number, format: decimal, default: 0.1234567890123456789 }',
    );
    const { url } = await serveDocument({ document, handlers });
    await send(url, 'application/json', '{}');
    expect(given).toEqual([{ v: '0.1234567890123456789' }]);
  });

  test.each([
    [decimal, '12.50', '12.50'],
    [decimal, 12.5, '12.5'],
    [decimal, 'x', undefined],
    [decimal, Number.NaN, undefined],
    ['{ type: number }', '12.50', undefined],
    ['{ type: number }', Number.POSITIVE_INFINITY, undefined],
    ['{ type: number }', 5n, '5'],
    ['{ type: integer }', 2 ** 53, undefined],
    ['{ type: integer, format: uint64 }', 2n ** 64n, undefined],
  ])('D16 a handler of %s gives %s', async (schema, v, text) => {
    const { url } = await serveDocument({
      document: documentWith(schema),
      handlers: { o: () => ({ status: 200, body: { v } }) },
    });
    const { status, answer } = await send(url, 'application/json', '{}');
    expect(status).toBe(text === undefined ? 500 : 200);
    if (text !== undefined) expect(answer).toBe(`{"v":${text}}`);
  });

  test('D16 in lines', async () => {
    const given: unknown[] = [];
    const content = `{ application/jsonl: { itemSchema: ${decimal} } }`;
    const { url } = await serveDocument({
      document: `openapi: 3.2.0
info: { title: Lines, version: '1' }
paths: { /o: { post: { operationId: o, requestBody: { required: true, content: ${content} }, responses: { '200': { description: Echo, content: ${content} } } } } }`,
      handlers: {
        async o({ body }) {
          for await (const item of body as AsyncIterable<unknown>) given.push(item);
          return { status: 200, body: given };
        },
      },
    });
    const response = await send(url, 'application/jsonl', '12.50\n9007199254740993\n', '/o');
    expect(given).toEqual(['12.50', '9007199254740993']);
    expect(response.answer).toBe('12.50\n9007199254740993\n');
  });
});
