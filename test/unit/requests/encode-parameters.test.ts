/** Parameters are written so that the engine, which reads every style, reads the same values. */

import { expect, test } from '@jest/globals';
import { ownFuel } from '../../../src/base/fuel';
import { recover } from '../../../src/base/recover';
import { compileReadParameters, parseApiDocument, schemaContext } from '../../../src/engine';
import { HttpError } from '../../../src/http/http-error';
import type { Parameter } from '../../../src/model/operation';
import { encodeParameters } from '../../../src/requests/encode-parameters';

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

const cases: readonly Row[] = [
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

test.each(cases)('%s', (_title, parameter, value) => {
  const { operation, tools } = declare(parameter);
  const location: string = Reflect.get(parameter, 'in');
  const raw = encodeParameters(operation, () => value, tools);
  const read = compileReadParameters(operation.parameters, tools)(raw, ownFuel());
  expect(JSON.stringify(Object(Reflect.get(read, location)), exact)).toBe(
    JSON.stringify({ p: value }, exact),
  );
});

const text = { type: 'string' };
const form = 'application/x-www-form-urlencoded';

/** A parameter of OpenAPI 3.2, its value, and what the request has: path, query or cookie. */
const written: readonly (readonly [
  title: string,
  parameter: object,
  value: unknown,
  raw: string,
])[] = [
  [
    'a form',
    { content: { [form]: { schema: object } } },
    { r: 5, g: 'a + b' },
    'r=5&g=a%20%2B%20b',
  ],
  [
    'a form in styles',
    {
      content: {
        [form]: {
          schema: { type: 'object', properties: { l: list, o: object, t: text } },
          encoding: {
            l: { style: 'pipeDelimited' },
            o: { style: 'deepObject' },
            t: { allowReserved: true },
          },
        },
      },
    },
    { l: ['a', 'b'], o: { r: 5 }, t: 'a/b&c' },
    'l=a%7Cb&o%5Br%5D=5&t=a/b%26c',
  ],
  [
    'JSON',
    { content: { 'application/json': { schema: object } } },
    { r: 5, g: '+' },
    '%7B%22r%22%3A5%2C%22g%22%3A%22%2B%22%7D',
  ],
  ['text', { content: { 'application/jsonpath': { schema: text } } }, '$.a[1]', '%24.a%5B1%5D'],
  [
    'XML',
    { content: { 'application/xml': { schema: { ...object, xml: { name: 'p' } } } } },
    { r: 5 },
    '<p><r>5</r></p>',
  ],
  ['a cookie as it is', { in: 'cookie', style: 'cookie', schema: text }, 'a%2C "b"', 'p=a%2C "b"'],
  ['cookies of a list', { in: 'cookie', style: 'cookie', schema: list }, ['a', 'b'], 'p=a; p=b'],
  [
    'cookies of an object',
    { in: 'cookie', style: 'cookie', schema: object },
    { r: 5, g: 'x y' },
    'r=5; g=x y',
  ],
  [
    'a list in one cookie',
    { in: 'cookie', style: 'cookie', explode: false, schema: list },
    ['a', 'b'],
    'p=a,b',
  ],
  [
    'JSON in a cookie',
    { in: 'cookie', style: 'cookie', content: { 'application/json': { schema: object } } },
    { r: 5 },
    'p=%7B%22r%22%3A5%7D',
  ],
  [
    'reserved characters of a path',
    { in: 'path', allowReserved: true, schema: text },
    "a/?#:@!$&'()*+,;=[]",
    "a%2F%3F%23:@!$&'()*+%2C%3B%3D%5B%5D",
  ],
  [
    'reserved characters of a query',
    { in: 'query', allowReserved: true, schema: text },
    "/?#:@!$&'()*+,;=[]é",
    "p=/?%23:@!$%26'()*%2B%2C;%3D%5B%5D%C3%A9",
  ],
  [
    'reserved characters of a cookie',
    { in: 'cookie', allowReserved: true, schema: text },
    "/?#:@!$&'()*+,;=[]",
    "p=/?#:@!$&'()*+%2C%3B=[]",
  ],
  [
    'a list of them',
    { in: 'query', allowReserved: true, explode: false, schema: list },
    ['a/b', 'c,d'],
    'p=a/b,c%2Cd',
  ],
  ['a percent sign alone', { in: 'query', allowReserved: true, schema: text }, '5%', 'p=5%25'],
];

test.each(written)('W09 W10 W11 W12 W13 %s', (_title, given, value, wanted) => {
  const parameter = { in: 'querystring', ...given };
  const { operation, tools } = declare(parameter, '3.2.0');
  const raw = encodeParameters(operation, () => value, tools);
  const texts = [raw.path['p'], raw.query, raw.headers['cookie']];
  const decoded = wanted.startsWith('<')
    ? texts.map((one) => one && decodeURIComponent(one))
    : texts;
  expect(decoded.find(Boolean)).toContain(wanted);
  const read = compileReadParameters(operation.parameters, tools)(raw, ownFuel());
  expect(Object(Reflect.get(read, parameter.in))).toEqual({ p: value });
});

test('W13 percent-encoded triples are left as they are', () => {
  const { operation, tools } = declare({ in: 'query', allowReserved: true, schema: text }, '3.2.0');
  const { query } = encodeParameters(operation, () => 'x%2By%2fz', tools);
  expect(query).toBe('p=x%2By%2fz');
});

const odd = { type: 'object', additionalProperties: { type: 'string' } };

test.each<readonly [parameter: object, value: unknown, place: string, told: string]>([
  [{ in: 'query', style: 'pipeDelimited', schema: list }, ['a|b'], 'query p', '"a|b": "|"'],
  [{ in: 'query', style: 'spaceDelimited', schema: list }, ['a', 'b c'], 'query p', '"b c": " "'],
  [{ in: 'query', 'x-comma-separated': true, schema: text }, ['a,b'], 'query p', '"a,b": ","'],
  [{ in: 'query', style: 'deepObject', schema: odd }, { 'a]': 'b' }, 'query p', '"a]": "]"'],
  [{ in: 'query', explode: false, schema: list }, [], 'query p', 'must have an item'],
  [{ in: 'header', schema: list }, ['a,b', 'c'], 'header p', '"a,b": ","'],
  [{ in: 'header', schema: odd }, { 'a,b': 'c' }, 'header p', '"a,b": ","'],
  [{ in: 'header', explode: true, schema: odd }, { 'a=b': 'c' }, 'header p', '"a=b": "="'],
  [{ in: 'header', schema: text }, ' a', 'header p', 'blank'],
  [{ in: 'path', style: 'label', explode: true, schema: list }, ['a.b'], 'path p', '"a.b": "."'],
  [{ in: 'path', style: 'label', schema: list }, ['a.b'], 'path p', '"a.b": "."'],
  [{ in: 'cookie', style: 'cookie', schema: text }, 'a;b', 'cookie p', '"a;b": ";"'],
  [{ in: 'cookie', style: 'cookie', explode: false, schema: list }, ['a,b'], 'cookie p', '","'],
  [
    {
      in: 'querystring',
      content: {
        [form]: {
          schema: { type: 'object', properties: { l: list } },
          encoding: { l: { style: 'pipeDelimited' } },
        },
      },
    },
    { l: ['a|b'] },
    'querystring p/l',
    '"a|b": "|"',
  ],
])(
  'what its reader would take for something else is refused: %j %j',
  (given, value, place, told) => {
    const { operation, tools } = declare({ explode: false, ...given }, '3.2.0');
    const refused = recover(
      () => encodeParameters(operation, () => value, tools),
      HttpError,
      ({ errors }) => errors.map(({ in: part, path, message }) => `${part} ${path} ${message}`),
    );
    expect(refused).toEqual([expect.stringMatching(new RegExp(`^${place} `))]);
    expect(String(refused)).toContain(told);
  },
);
