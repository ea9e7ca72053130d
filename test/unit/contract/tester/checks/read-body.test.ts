/** Streams as they end: what is wrong with each, and what is not. */

import { expect, test } from '@jest/globals';
import { answerChecker } from '../../../../../src/contract';
import { parseApiDocument, schemaContext } from '../../../../../src/engine';

const document = parseApiDocument(
  'streams.yaml',
  `
openapi: 3.2.0
info: { title: Streams, version: '1' }
paths:
  /:
    get:
      operationId: read
      responses:
        '200':
          description: Items
          content:
            application/jsonl: { itemSchema: { type: object, required: [a], properties: { a: { type: integer, maximum: 9 }, b: { type: string, writeOnly: true } } } }
            application/json-seq: { itemSchema: { type: integer } }
            text/event-stream; charset=utf-8: { itemSchema: { type: object } }
            text/event-stream; of=names: { itemSchema: { type: object, properties: { event: { enum: [a, error] } } } }
            application/x-ndjson: { schema: { type: array, maxItems: 1 } }
`,
);
const [operation] = document.operations;
if (operation === undefined) throw new Error('The document has no operation');
const check = answerChecker(operation, schemaContext(document));

const problemsOf = (type: string, body: string | Buffer, cut?: 'left' | 'broken') => {
  const answer = { status: 200, statusText: '', headers: [['Content-Type', type]] as const, cut };
  const request = { method: 'GET', headers: [] };
  const { problems } = check({ answer: { ...answer, body: Buffer.from(body) }, request }, 'valid');
  return problems.map(({ rule, place, seen }) => `${rule} ${place ?? ''} ${seen}`);
};

const lines = 'application/jsonl';
const texts = 'application/json-seq';
const events = 'text/event-stream; charset=utf-8';
const named = 'text/event-stream; of=names';

test.each<[title: string, type: string, body: string | Buffer, cut?: 'left' | 'broken']>([
  ['no line', lines, ''],
  ['lines', lines, '{"a":1}\n\n{"a":2}'],
  ['a line that was left', lines, '{"a":1}\n{"a"', 'left'],
  ['texts', texts, '\u001e1\n\u001e2\n'],
  ['no event', events, ':\n\n'],
  ['an event that was left', events, 'data: 1\n\ndata', 'left'],
  ['an event `error` that is not the last', events, 'event: error\ndata: 1\n\ndata: 2\n\n'],
  ['an event `error` that the schema names', named, 'event: error\ndata: 1\n\n'],
  ['a whole list', 'application/x-ndjson', '1\n'],
])('nothing is wrong with %s', (_title, ...answer) => {
  expect(problemsOf(...answer)).toEqual([]);
});

test.each<
  [title: string, type: string, body: string | Buffer, cut: 'left' | 'broken' | undefined, string]
>([
  ['an item', lines, '{"a":1}\n{"a":10}\n', 'left', 'body-invalid /*/a 10'],
  [
    'a property',
    lines,
    '{"a":1,"b":"c"}\n',
    undefined,
    'write-only-sent /*/b the property in the body',
  ],
  ['a line', lines, '{"a":1}\n{"a"\n', 'left', 'body-malformed  '],
  ['the last line', lines, '{"a":1}\n{"a"', undefined, 'body-malformed  '],
  ['the last text', texts, '\u001e1\n\u001e2', undefined, 'body-malformed  '],
  ['an octet', lines, Buffer.from([0xff, 0x0a]), undefined, 'body-malformed  '],
  [
    'the connection',
    lines,
    '{"a":1}\n{"a"',
    'broken',
    'stream-broken  a broken connection behind 1 items',
  ],
  [
    'the connection behind what cannot be read',
    lines,
    '{"a"\n',
    'broken',
    'stream-broken  a broken connection behind 0 items',
  ],
  [
    'the last event',
    events,
    'data: 1\n\ndata: 2\n',
    undefined,
    'stream-broken  a part of an event behind 1 items',
  ],
  [
    'an event `error`',
    events,
    'data: 1\n\nevent: error\ndata: 2\n\n',
    undefined,
    'stream-broken  an event `error` behind 2 items',
  ],
  [
    'an event `error` before it was left',
    events,
    'event: error\ndata: 2\n\n',
    'left',
    'stream-broken  an event `error` behind 1 items',
  ],
  ['a list', 'application/x-ndjson', '1\n2\n', undefined, 'body-invalid  [1,2]'],
])('%s is wrong', (_title, type, body, cut, expected) => {
  expect(problemsOf(type, body, cut)).toEqual([expect.stringContaining(expected)]);
});
