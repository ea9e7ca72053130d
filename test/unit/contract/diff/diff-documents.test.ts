/** Each kind of change, with the rule that tells it and how much it weighs on each side. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { diffDocuments, diffRules } from '../../../../src/contract';
import { casesOf, fieldsOf } from '../../../support/text-cases';
import { changesOf, documentOf, expectationOf } from './compare-fragments';

const kinds = ['schemas', 'operations', 'documents'] as const;

const fileOf = (kind: string): string => join(__dirname, `${kind}.cases.txt`);

const sides = ['document', 'request', 'response'] as const;

describe.each(kinds)('%s', (kind) => {
  test.each(casesOf(fileOf(kind)))('%s', (_title, lines) => {
    const fields = new Map(fieldsOf(lines));
    const changes = changesOf(kind, fields);
    const found = sides.map((side) => [side, expectationOf(changes, side)]);
    expect(found).toEqual(sides.map((side) => [side, fields.get(side) ?? 'nothing']));
  });
});

test('each case says what it expects, be it nothing', () => {
  const silent = kinds
    .flatMap((kind) => casesOf(fileOf(kind)))
    .filter(([, lines]) => {
      const fields = new Map(fieldsOf(lines));
      return (fields.get('changes') === 'none') === sides.some((side) => fields.has(side));
    });
  expect(silent).toEqual([]);
});

test('each rule is told by a case', () => {
  const told = kinds
    .flatMap((kind) => casesOf(fileOf(kind)))
    .flatMap(([, lines]) => sides.flatMap((side) => new Map(fieldsOf(lines)).get(side) ?? []))
    .flatMap((text) => text.split(', ').map((one) => one.split(' ')[1]));
  expect(Object.keys(diffRules).filter((rule) => !told.includes(rule))).toEqual([]);
});

const shared = (maximum: number) =>
  documentOf({
    paths: Object.fromEntries(
      ['/a', '/b'].map((path) => [
        path,
        {
          put: {
            ...(path === '/a' ? { operationId: 'change' } : {}),
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Size' } } },
            },
            responses: {
              200: {
                description: 'A',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Size' } } },
              },
            },
          },
        },
      ]),
    ),
    components: { schemas: { Size: { type: 'integer', maximum } } },
  });

test('a change of a shared schema names each operation and side that it touches', () => {
  const changes = diffDocuments(shared(10), shared(5));
  const at = (path: string, operation: string | null) => ({ method: 'put', path, operation });
  const told = { rule: 'maximum-lowered', pointer: '/components/schemas/Size/maximum' };
  expect(changes).toEqual(
    [at('/a', 'change'), at('/b', null)].flatMap((place) => [
      expect.objectContaining({ ...told, ...place, side: 'request', severity: 'breaking' }),
      expect.objectContaining({ ...told, ...place, side: 'response', severity: 'compatible' }),
    ]),
  );
});

test('a change says what was and what is, and where', () => {
  const old = documentOf({ paths: { '/a': { get: { responses: {} } }, '/b': {} } }, 'old.json');
  const [change] = diffDocuments(old, documentOf({ paths: {} }, 'new.json'));
  expect(change).toEqual({
    rule: 'operation-removed',
    severity: 'breaking',
    side: 'document',
    operation: null,
    method: 'get',
    path: '/a',
    pointer: '/paths/~1a/get',
    file: 'old.json',
    line: 1,
    column: expect.any(Number),
    was: 'GET /a',
    now: null,
    message: 'The operation is gone (GET /a).',
  });
});

/** A document whose one operation takes and gives values of the schema. */
const around = (schema: object) => {
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'A', content } };
  return documentOf({ paths: { '/a': { post: { requestBody: { content }, responses } } } });
};

test('lists and maps may have more members than a call has arguments', () => {
  const many = Array.from({ length: 130_000 }, (_, at) => at);
  const schema = (first: number) =>
    around({
      properties: {
        a: { enum: [first, ...many] },
        b: { default: Object.fromEntries(many.map((at) => [`m${at}`, at])) },
      },
    });
  const changes = diffDocuments(schema(-1), schema(-2));
  expect(changes.map(({ side, rule, was, now }) => [side, rule, was, now])).toEqual(
    ['request', 'response'].flatMap((side) => [
      [side, 'enum-value-removed', '-1', null],
      [side, 'enum-value-added', null, '-2'],
    ]),
  );
});
