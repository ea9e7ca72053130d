/** Parameters are written so that the engine, which reads every style, reads the same values. */

import { expect, test } from '@jest/globals';
import { ownFuel } from '../../../../../src/base/fuel';
import { encodeParameters } from '../../../../../src/contract/tester/requests/encode-parameters';
import { compileReadParameters, parseApiDocument, schemaContext } from '../../../../../src/engine';
import type { Parameter } from '../../../../../src/model/operation';

const list = { type: 'array', items: { type: 'string' } };
const object = { type: 'object', properties: { r: { type: 'integer' }, g: { type: 'string' } } };

const declare = (parameter: object) => {
  const [name, location] = ['p', Reflect.get(parameter, 'in')];
  const path = location === 'path' ? '/a/{p}' : '/a';
  const operation = {
    parameters: [{ name, required: true, ...parameter }],
    responses: { '200': { description: 'A' } },
  };
  const text = JSON.stringify({
    openapi: '3.0.3',
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
  const none = { path: {}, query: {}, header: {}, cookie: {}, querystring: {} };
  const location: string = Reflect.get(parameter, 'in');
  const raw = encodeParameters(operation, { ...none, [location]: { p: value } }, tools);
  const read = compileReadParameters(operation.parameters, tools)(raw, ownFuel());
  expect(JSON.stringify(Object(Reflect.get(read, location)), exact)).toBe(
    JSON.stringify({ p: value }, exact),
  );
});
