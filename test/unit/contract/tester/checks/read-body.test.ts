/** Streams as they end: what is wrong with each, and what is not. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { answerChecker } from '../../../../../src/contract';
import { parseApiDocument, schemaContext } from '../../../../../src/engine';
import { valuesOf } from '../../../../support/text-cases';

const cases = join(__dirname, 'read-body.cases.txt');

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

test.each(
  valuesOf<[title: string, type: string, body: string | Buffer, cut?: 'left' | 'broken']>(
    cases,
    'nothing is wrong with',
  ),
)('nothing is wrong with %s', (_title, ...answer) => {
  expect(problemsOf(...answer)).toEqual([]);
});

test.each(
  valuesOf<
    [title: string, type: string, body: string, cut: 'left' | 'broken' | null, said: string]
  >(cases, 'what is wrong'),
)('%s is wrong', (_title, type, body, cut, expected) => {
  expect(problemsOf(type, Buffer.from(body, 'latin1'), cut ?? undefined)).toEqual([
    expect.stringContaining(expected),
  ]);
});
