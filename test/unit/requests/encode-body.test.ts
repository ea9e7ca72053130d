/** Parts and fields of the bodies that a test sends, in the formats that are declared for them. */

import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { parseApiDocument } from '../../../src/engine/document/api-document';
import { schemaContext } from '../../../src/engine/media-types/schema-context';
import { encodeBody } from '../../../src/requests/encode-body';

const object = { type: 'object', properties: { a: { type: 'integer' } }, xml: { name: 'p' } };
const list = { type: 'array', items: object };

const encoded = (mediaType: string, schema: object, contentType: string, value: unknown) => {
  const content = {
    [mediaType]: {
      schema: { type: 'object', properties: { f: schema } },
      encoding: { f: { contentType } },
    },
  };
  const document = parseApiDocument(
    'specs/test.yaml',
    stringify({
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      paths: {
        '/a': { post: { requestBody: { content }, responses: { 200: { description: 'Fine' } } } },
      },
    }),
  );
  const [declared] = document.operations[0]?.requestBody?.content ?? [];
  if (declared === undefined) throw new Error('The body is not declared');
  const body = { content: declared, mediaType, value: { f: value } };
  return Buffer.from(encodeBody(body, schemaContext(document))?.bytes ?? []).toString();
};

const xml = (a: number) => `<?xml version="1.0" encoding="UTF-8"?>\n<p><a>${a}</a></p>`;

test.each<[contentType: string, schema: object, value: unknown, parts: string[]]>([
  ['application/xml', object, { a: 5 }, [xml(5)]],
  ['application/xml', list, [{ a: 5 }, { a: 6 }], [xml(5), xml(6)]],
  ['application/yaml', object, { a: 5 }, ['a: 5\n']],
  ['application/jsonl', list, [{ a: 5 }, { a: 6 }], ['{"a":5}\n{"a":6}\n']],
  ['application/json', list, [{ a: 5 }, { a: 6 }], ['{"a":5}', '{"a":6}']],
])('parts of %s: %j', (contentType, schema, value, parts) => {
  const text = encoded('multipart/form-data', schema, contentType, value);
  expect(
    text.split(/\r\n--[^\r]*\r\n|^--[^\r]*\r\n/).flatMap((part) => part.split('\r\n\r\n')[1] ?? []),
  ).toEqual(parts);
});

test.each<[contentType: string, schema: object, value: unknown, text: string]>([
  ['application/xml', object, { a: 5 }, xml(5)],
  ['application/yaml', object, { a: 5 }, 'a: 5\n'],
  ['application/jsonl', list, [{ a: 5 }, { a: 6 }], '{"a":5}\n{"a":6}\n'],
  ['application/json', object, { a: 5 }, '{"a":5}'],
])('a field of %s: %j', (contentType, schema, value, text) => {
  const form = encoded('application/x-www-form-urlencoded', schema, contentType, value);
  expect([...new URLSearchParams(form)]).toEqual([['f', text]]);
});
