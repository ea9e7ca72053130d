/** Examples of parameters as OAS 3.0.3 writes them (Style Values, its table of examples). */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../../src/engine/document/document';
import type { Parameter } from '../../../../../src/engine/document/model/operation';
import {
  exampleOfParameter,
  pathText,
  plainText,
  queryFields,
} from '../../../../../src/server/docs/reference/example-text';

const parameter = (part: Partial<Parameter>): Parameter => ({
  name: 'color',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  allowEmptyValue: false,
  schema: {},
  mediaType: undefined,
  commaSeparated: false,
  ...part,
});

const list = ['blue', 'black'];
const object = { R: 100, G: 200 };

describe('in a query', () => {
  test.each<[Partial<Parameter>, unknown, string]>([
    [{}, 'blue & black', 'color=blue%20%26%20black'],
    [{}, list, 'color=blue&color=black'],
    [{ explode: false }, list, 'color=blue,black'],
    [{ style: 'spaceDelimited', explode: false }, list, 'color=blue%20black'],
    [{ style: 'pipeDelimited', explode: false }, list, 'color=blue%7Cblack'],
    [{}, object, 'R=100&G=200'],
    [{ explode: false }, object, 'color=R,100,G,200'],
    [{ style: 'deepObject' }, object, 'color%5BR%5D=100&color%5BG%5D=200'],
    [{ mediaType: 'application/json' }, object, 'color=%7B%22R%22%3A100%2C%22G%22%3A200%7D'],
    [{ name: 'a b' }, 1n, 'a%20b=1'],
  ])('%j %j', (part, value, want) => {
    const fields = queryFields(parameter(part), value);
    expect(fields.map(([name, text]) => `${name}=${text}`).join('&')).toBe(want);
  });
});

describe('in a path', () => {
  test.each<[Partial<Parameter>, unknown, string]>([
    [{ style: 'simple' }, 'a/b', 'a%2Fb'],
    [{ style: 'simple' }, list, 'blue,black'],
    [{ style: 'simple', explode: true }, object, 'R=100,G=200'],
    [{ style: 'simple', explode: false }, object, 'R,100,G,200'],
    [{ style: 'label' }, 'blue', '.blue'],
    [{ style: 'matrix' }, 'blue', ';color=blue'],
  ])('%j %j', (part, value, want) => {
    expect(pathText(parameter({ in: 'path', ...part }), value)).toBe(want);
  });
});

test('in a header it is not encoded', () => {
  expect(plainText(parameter({ in: 'header', style: 'simple' }), ['a b', 'c'])).toBe('a b,c');
});

describe('an example', () => {
  const { references } = parseApiDocument(
    'a.yaml',
    'openapi: 3.0.3\ninfo: {title: a, version: "1"}\npaths: {}',
  );
  test.each<[string, Partial<Parameter>, unknown]>([
    ["is the document's", { examples: [{ name: undefined, value: 7 }] }, 7],
    ['is made where one must be sent', { required: true, schema: { type: 'integer' } }, 0],
    ['is not needed otherwise', { schema: { type: 'integer' } }, undefined],
    ['is some text where nothing is known', { required: true }, 'text'],
  ])('%s', (_, part, want) => {
    expect(exampleOfParameter(parameter(part), references)).toEqual(want);
  });
});
