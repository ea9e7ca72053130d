/** Each kind of change, with the rule that tells it and how much it weighs on each side. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { diffDocuments } from '../../../../src/contract';
import { diffRules } from '../../../../src/contract/diff/rules/rules';
import { parseApiDocument } from '../../../../src/engine';
import { casesOf, fieldsOf, rowsOf, valuesOf } from '../../../support/text-cases';
import {
  changesOf,
  documentAround,
  documentOf,
  expectationOf,
  webhookTexts,
} from './compare-fragments';

const cases = join(__dirname, 'diff-documents.cases.txt');

const kinds = [
  'schemas',
  'operations',
  'documents',
  'schemas-3.1',
  'documents-3.1',
  'schemas-3.2',
  'operations-3.2',
  'documents-3.2',
] as const;

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

describe('webhooks and callbacks', () => {
  test.each(casesOf(fileOf('webhooks')))('%s', (_title, lines) => {
    const fields = new Map(fieldsOf(lines));
    const [olds, news] = ['old', 'new'].map((name) =>
      webhookTexts(fields.get(name) ?? '', fields.get('components') ?? '{}'),
    );
    for (const [at, text] of (olds ?? []).entries()) {
      const changes = diffDocuments(
        parseApiDocument('old.yaml', text),
        parseApiDocument('new.yaml', news?.[at] ?? ''),
      );
      const found = sides.map((side) => [side, expectationOf(changes, side)]);
      expect(found).toEqual(sides.map((side) => [side, fields.get(side) ?? 'nothing']));
    }
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
  const told = [...kinds, 'webhooks']
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

test('constants in place of any text are told where they stand', () => {
  const [old, now] = ['{type: string}', '{oneOf: [{const: a}, {const: b}]}'].map((schema) =>
    documentAround('schemas-3.1', [schema]),
  );
  const changes = old && now ? diffDocuments(old, now) : [];
  expect(changes.map(({ rule, pointer }) => [rule, pointer.split('/').at(-1)])).toEqual([
    ['enum-added', 'oneOf'],
    ['enum-added', 'oneOf'],
  ]);
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
    was: '"GET /a"',
    now: null,
    message: 'Operation removed (GET /a).',
  });
});

test.each([
  ['2027-06-29', 'breaking', 'Operation removed before its sunset (GET /a, until 2027-06-30).'],
  ['2027-06-30', 'compatible', 'Operation removed after its sunset (GET /a, until 2027-06-30).'],
])('on %s the removal of an operation is %s', (today, severity, message) => {
  const get = { deprecated: true, 'x-sunset': '2027-06-30', responses: {} };
  const old = documentOf({ paths: { '/a': { get }, '/b': {} } });
  const changes = diffDocuments(old, documentOf({ paths: {} }), today);
  expect(changes).toMatchObject([{ severity, message }]);
});

test('QUERY and additional methods come and go as others do, and case tells them apart', () => {
  const operation = { responses: { 200: { description: 'A' } } };
  const sized = (maximum: number) => ({
    ...operation,
    requestBody: { content: { 'application/json': { schema: { type: 'integer', maximum } } } },
  });
  const old = { query: sized(9), additionalOperations: { COPY: operation, Lock: operation } };
  const now = { query: sized(8), additionalOperations: { LOCK: operation } };
  const [before, after] = [old, now].map((item) =>
    documentOf({
      openapi: '3.2.0',
      paths: { '/a': item, '/b': item === now ? { query: operation } : {} },
    }),
  );
  const changes = before && after ? diffDocuments(before, after) : [];
  const at = '/paths/~1a/additionalOperations';
  expect(
    changes.map(({ rule, method, pointer, message }) => [rule, method, pointer, message]),
  ).toEqual(
    expect.arrayContaining([
      ['operation-removed', 'COPY', `${at}/COPY`, 'Operation removed (COPY /a).'],
      ['operation-removed', 'Lock', `${at}/Lock`, 'Operation removed (Lock /a).'],
      ['operation-added', 'LOCK', `${at}/LOCK`, 'Operation added (LOCK /a).'],
      ['operation-added', 'query', '/paths/~1b/query', 'Operation added (QUERY /b).'],
    ]),
  );
  expect(changes.map(({ rule }) => rule)).toContain('maximum-lowered');
  expect(changes).toHaveLength(5);
});

describe.each(casesOf(join(__dirname, 'places.cases.txt')))('%s', (_title, lines) => {
  test.each(rowsOf(lines))('%s', (_name, ...row) => {
    const [kind = '', old = '', now = '', place = ''] = row;
    const given = new Map(Object.entries({ old, new: now }));
    if (kind.startsWith('xml')) given.set('in', 'application/xml');
    const changes = changesOf(kind.replace(/^(?:json|xml)/, 'schemas'), given);
    const places = changes.map(({ file, pointer }) => `${file} ${pointer}`);
    // A schema stands in the request, too.
    expect(places.filter((one) => kind === 'operations' || one === place)).toEqual([place]);
  });
});

/** A schema by itself, and within others. */
const places: readonly (readonly [place: string, write: (schema: string) => string])[] = [
  ['by itself', (schema) => schema],
  ['in a list of objects', (schema) => `{type: array, items: {properties: {z: ${schema}}}}`],
  ['in a union', (schema) => `{oneOf: [{type: object, required: [z]}, ${schema}]}`],
  ['in allOf', (schema) => `{allOf: [${schema}, {}]}`],
];

/** Compares two schemas at every place, there and back; each change is told with its place. */
const changesAtPlaces = (kind: string, old: string, now: string) => {
  const everywhere = (schema: string) => places.map(([, write]) => write(schema));
  const [before, after] = [old, now].map((schema) => documentAround(kind, everywhere(schema)));
  if (before === undefined || after === undefined) throw new Error('There are two');
  const compare = (...documents: readonly [typeof before, typeof after]) =>
    diffDocuments(...documents).map(({ path, side, rule, severity }) => ({
      place: places[Number(path?.slice(1))]?.[0],
      ...{ side, rule, severity },
    }));
  return { there: compare(before, after), back: compare(after, before) };
};

describe.each(casesOf(join(__dirname, 'idle-keywords.cases.txt')))('%s', (_title, lines) => {
  test.each(rowsOf(lines))('%s: no change, in either direction', (_name, ...row) => {
    const [kind = '', old = '', now = ''] = row;
    expect(changesAtPlaces(kind, old, now)).toEqual({ there: [], back: [] });
  });
});

describe.each(casesOf(join(__dirname, 'refusing-keywords.cases.txt')))('%s', (_title, lines) => {
  test.each(rowsOf(lines))('%s: breaking for requests, back for responses', (_name, ...row) => {
    const [kind = '', old = '', now = ''] = row;
    const { there, back } = changesAtPlaces(kind, old, now);
    const isBroken = (changes: typeof there, wanted: string, at: string): boolean =>
      changes.some(
        ({ place, side, severity }) => place === at && side === wanted && severity === 'breaking',
      );
    const isTold = places.map(([place]) => [
      place,
      isBroken(there, 'request', place),
      isBroken(back, 'response', place),
    ]);
    expect(isTold).toEqual(places.map(([place]) => [place, true, true]));
  });
});

test.each(valuesOf<[old: string, now: string, was: string, is: string]>(cases, 'changed fields'))(
  '%s and %s: was and now are JSON, as they stand in the document',
  (old, now, was, is) => {
    const [change] = changesOf('schemas', new Map(Object.entries({ old, new: now })));
    expect(change).toMatchObject({ was, now: is });
  },
);

test.each([
  ['{type: object, required: [a, b/c]}', '{type: object, required: [a]}', 'optional'],
  ['{type: object, required: [a]}', '{type: object, required: [a, b/c]}', 'required'],
])('from %s to %s: the property is named, not the schema around it', (old, now, became) => {
  const component = (schema: string) => `{A: ${schema}}`;
  const [change] = changesOf(
    'schemas',
    new Map(
      Object.entries({
        old: "{$ref: '#/components/schemas/A'}",
        new: "{$ref: '#/components/schemas/A'}",
        'old components': component(old),
        'new components': component(now),
      }),
    ),
  );
  expect(change?.message).toBe(`A.b/c: property became ${became}.`);
  expect(change?.pointer).toBe('/components/schemas/A/required/1');
});

test.each(
  valuesOf<[title: string, gone: string, message: string]>(cases, 'a status that default covered'),
)('a status that default covered, with %s: told of it at its line', (_title, gone, message) => {
  const other = 'default: {description: A, content: {application/json: {}}}';
  const fields = {
    old: `{responses: {${other}}}`,
    new: `{responses: {${other}, '410': ${gone}}}`,
    components: '{responses: {Gone: {description: Gone}}}',
  };
  const [change] = changesOf('operations', new Map(Object.entries(fields)));
  expect(change).toMatchObject({
    message: `The response 410: ${message}`,
    file: 'new.yaml',
    severity: 'breaking',
    pointer: '/paths/~1a/post/responses/410',
  });
});

/** A document whose one operation gives values of the schema. */
const around = (schema: object) => {
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'A', content } };
  return documentOf({ paths: { '/a': { get: { responses } } } });
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
  expect(changes.map(({ side, rule, was, now }) => [side, rule, was, now])).toEqual([
    ['response', 'enum-value-removed', '-1', null],
    ['response', 'enum-value-added', null, '-2'],
  ]);
});

test('schemas may lead to each other in a long chain', () => {
  const length = 3000;
  const chain = (maximum: number) => {
    const ref = (at: number) => ({ $ref: `#/components/schemas/S${at}` });
    const schemas = Array.from({ length }, (_, at) => [
      `S${at}`,
      at === length - 1 ? { type: 'integer', maximum } : { properties: { next: ref(at + 1) } },
    ]);
    const content = { 'application/json': { schema: ref(0) } };
    return documentOf({
      paths: { '/a': { post: { responses: { 200: { description: 'A', content } } } } },
      components: { schemas: Object.fromEntries(schemas) },
    });
  };
  const changes = diffDocuments(chain(2), chain(1));
  expect(changes.map(({ rule, pointer }) => [rule, pointer])).toEqual([
    ['maximum-lowered', `/components/schemas/S${length - 1}/maximum`],
  ]);
});
