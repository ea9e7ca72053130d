/** Parameters are written so that the engine, which reads every style, reads the same values. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ownFuel } from '../../../src/base/fuel';
import { recover } from '../../../src/base/recover';
import { compileReadParameters, parseApiDocument, schemaContext } from '../../../src/engine';
import { HttpError } from '../../../src/http/http-error';
import type { Parameter } from '../../../src/model/operation';
import { encodeParameters } from '../../../src/requests/encode-parameters';
import { readValue, tableOf } from '../../support/text-cases';
import { readSchema } from '../schema/validation/validators-of';

const cases = join(__dirname, 'encode-parameters.cases.txt');

const list = { type: 'array', items: { type: 'string' } };
const object = { type: 'object', properties: { r: { type: 'integer' }, g: { type: 'string' } } };

const declare = (parameter: object, openapi = '3.0.3') => {
  const [name, location] = ['p', Reflect.get(parameter, 'in')];
  const path = location === 'path' ? '/a/{p}' : '/a';
  const operation = {
    parameters: [{ name, required: true, ...parameter }],
    responses: { '200': { description: 'A' } },
  };
  const text = JSON.stringify({
    openapi,
    info: { title: 'T', version: '1' },
    paths: { [path]: { get: operation } },
  });
  const document = parseApiDocument('t.json', text);
  const [first] = document.operations;
  if (first === undefined) throw new Error('No operation');
  return { operation: first, tools: schemaContext(document) };
};

const scalars = ['a', 'é 日😀', 'a&b=c#d?e%f+g', "(!'*)"];
const styled: readonly [Parameter['in'], string, readonly boolean[]][] = [
  ['path', 'simple', [false, true]],
  ['path', 'label', [false, true]],
  ['path', 'matrix', [false, true]],
  ['query', 'form', [false, true]],
  ['header', 'simple', [false, true]],
  ['cookie', 'form', [false]],
];

type Row = readonly [title: string, parameter: object, value: unknown];

const inBothWays: readonly Row[] = [
  ...styled.flatMap(([location, style, explodes]) =>
    explodes.flatMap((explode): Row[] => [
      [
        `${location} ${style} ${explode} list`,
        { in: location, style, explode, schema: list },
        ['a', 'b'],
      ],
      [
        `${location} ${style} ${explode} object`,
        { in: location, style, explode, schema: object },
        { r: 5, g: 'x' },
      ],
    ]),
  ),
  ...['spaceDelimited', 'pipeDelimited'].map(
    (style): Row => [
      `query ${style}`,
      { in: 'query', style, explode: false, schema: list },
      ['a', 'é', 'b'],
    ],
  ),
  [
    'query deepObject',
    { in: 'query', style: 'deepObject', explode: true, schema: object },
    { r: 5, g: 'x y' },
  ],
  [
    'query content',
    { in: 'query', content: { 'application/json': { schema: object } } },
    { r: 5, g: '"&' },
  ],
  ...(['path', 'query'] as const).flatMap((location) =>
    scalars.map(
      (text): Row => [`${location} ${text}`, { in: location, schema: { type: 'string' } }, text],
    ),
  ),
  ['int64', { in: 'query', schema: { type: 'integer', format: 'int64' } }, 9_007_199_254_740_993n],
];

const exact = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);

test.each(inBothWays)('%s', (_title, parameter, value) => {
  const { operation, tools } = declare(parameter);
  const location: string = Reflect.get(parameter, 'in');
  const raw = encodeParameters(operation, () => value, tools);
  const read = compileReadParameters(operation.parameters, tools)(raw, ownFuel());
  expect(JSON.stringify(Object(Reflect.get(read, location)), exact)).toBe(
    JSON.stringify({ p: value }, exact),
  );
});

const text = { type: 'string' };

/** A parameter of OpenAPI 3.2, its value, and what the request has: path, query or cookie. */
test.each(tableOf(cases, 'written'))(
  'W09 W10 W11 W12 W13 %s',
  (_title, given = '', item = '', wanted = '') => {
    const parameter = { in: 'querystring', ...readSchema(given) };
    const value = readValue(item);
    const { operation, tools } = declare(parameter, '3.2.0');
    const raw = encodeParameters(operation, () => value, tools);
    const texts = [raw.path['p'], raw.query, raw.headers['cookie']];
    const decoded = wanted.startsWith('<')
      ? texts.map((one) => one && decodeURIComponent(one))
      : texts;
    expect(decoded.find(Boolean)).toContain(wanted);
    const read = compileReadParameters(operation.parameters, tools)(raw, ownFuel());
    expect(Object(Reflect.get(read, parameter.in))).toEqual({ p: value });
  },
);

test('W13 percent-encoded triples are left as they are', () => {
  const { operation, tools } = declare({ in: 'query', allowReserved: true, schema: text }, '3.2.0');
  const { query } = encodeParameters(operation, () => 'x%2By%2fz', tools);
  expect(query).toBe('p=x%2By%2fz');
});

test.each(tableOf(cases, 'refused'))(
  'what its reader would take for something else is refused: %s %s',
  (given, value, place = '', told = '') => {
    const { operation, tools } = declare({ explode: false, ...readSchema(given) }, '3.2.0');
    const refused = recover(
      () => encodeParameters(operation, () => readValue(value), tools),
      HttpError,
      ({ errors }) => errors.map(({ in: part, path, message }) => `${part} ${path} ${message}`),
    );
    expect(refused).toEqual([expect.stringMatching(new RegExp(`^${place} `))]);
    expect(String(refused)).toContain(told);
  },
);
