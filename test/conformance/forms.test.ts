/** Urlencoded forms over HTTP: F01 to F04, F09, F10; more of what is read is in test/unit/engine/media-types/forms. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { refused, type SendTo, serveSchemas } from './serve-schemas';

const form = 'application/x-www-form-urlencoded';
const int64 = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const pair = { type: 'object', properties: { R: int64, G: int64 } };
const pet = {
  type: 'object',
  properties: {
    id: int64,
    name: text,
    price: { type: 'number' },
    sold: { type: 'boolean' },
    photoUrls: { type: 'array', items: text },
    ids: { type: 'array', items: int64 },
    color: pair,
    colors: { type: 'array', items: pair },
  },
};

let send: SendTo;
beforeAll(async () => {
  const styles = {
    type: 'object',
    properties: {
      spread: pair,
      commas: { type: 'array', items: int64 },
      pipes: { type: 'array', items: text },
      deep: pair,
      list: pair,
      json: pair,
    },
  };
  const whole = {
    allOf: [
      { $ref: '#/components/schemas/Pet' },
      { type: 'object', required: ['age'], properties: { age: int64 } },
    ],
  };
  send = await serveSchemas(
    { pet, required: { ...pet, required: ['id', 'name'] }, styles, whole, encoded: pet },
    { Pet: pet },
    {
      styles: {
        spread: { style: 'form', explode: true },
        commas: { style: 'form', explode: false },
        pipes: { style: 'pipeDelimited', explode: false },
        deep: { style: 'deepObject', explode: true },
        list: { explode: false },
        json: { contentType: 'application/json' },
      },
      encoded: {
        unknown: { style: 'form', explode: false },
        id: { headers: { 'X-A': { schema: int64 } } },
      },
    },
  );
});

type Good = [title: string, schema: string, sent: string, value: unknown];
type Bad = [title: string, schema: string, sent: string];

const reads = async (...[, schema, sent, value]: Good): Promise<void> => {
  const echo = await send(schema, sent, form, 'application/json');
  expect([echo.status, echo.received]).toEqual([200, value]);
};

const refuses = async (...[, schema, sent]: Bad): Promise<void> => {
  const echo = await send(schema, sent, form, 'application/json');
  expect([echo.status, echo.received, JSON.parse(echo.body).type]).toEqual([
    400,
    refused,
    'invalid-body',
  ]);
};

describe('styles', () => {
  test.each<Good>([
    ['an object spread', 'styles', 'R=1&G=2', { spread: { R: 1n, G: 2n } }],
    ['commas', 'styles', 'commas=1,2', { commas: [1n, 2n] }],
  ])('F01 %s', reads);

  test.each<Bad>([
    ['a single value twice', 'pet', 'name=a&name=b'],
    ['an object that is none', 'styles', 'deep=x'],
  ])('F01 refused: %s', refuses);

  test.each<Good>([
    [
      'JSON text',
      'pet',
      'color=%7B%22R%22%3A9007199254740993%7D',
      { color: { R: 9007199254740993n } },
    ],
    [
      'brackets of an array',
      'pet',
      'colors[0][R]=1&colors[1][G]=2',
      { colors: [{ R: 1n }, { G: 2n }] },
    ],
  ])('F02 an object as %s', reads);

  test.each<Bad>([
    ['malformed JSON', 'pet', 'color={"R":1'],
    ['a key of JSON twice', 'pet', 'color={"R":1,"R":2}'],
    ['a member of another type', 'pet', 'color={"R":"1"}'],
    ['a member of another type in brackets', 'pet', 'color[R]=x'],
  ])('F02 refused: %s', refuses);

  test.each<Good>([
    ['unknown properties', 'encoded', 'id=5&name=a', { id: 5n, name: 'a' }],
    ['an undeclared field of that name', 'encoded', 'unknown=a,b', { unknown: 'a,b' }],
  ])('F04 encoding for %s is ignored', reads);

  test('F04 encoding is ignored outside of forms', async () => {
    const echo = await send('styles', '{"commas":[1],"list":{"R":1}}', 'application/json');
    expect([echo.status, echo.received]).toEqual([200, { commas: [1n], list: { R: 1n } }]);
  });
});

describe('texts', () => {
  test.each<Good>([
    [
      'by the schema of the property',
      'pet',
      'id=9223372036854775807&name=007&price=-1.5e3&sold=true',
      { id: 9223372036854775807n, name: '007', price: -1500, sold: true },
    ],
    ['members of allOf', 'whole', 'age=5&id=1', { age: 5n, id: 1n }],
  ])('F03 %s', reads);

  test.each<Bad>([
    ['beyond int64', 'pet', 'id=9223372036854775808'],
    ['a partial number', 'pet', 'id=5x'],
    ['an item', 'pet', 'ids=1&ids=x'],
    ['no boolean', 'pet', 'sold=1'],
    ['a member of allOf', 'whole', 'age=x'],
    ['a member of allOf is missing', 'whole', 'id=1'],
  ])('F03 refused: %s', refuses);

  test.each<Good>([['absent is absent', 'pet', 'name=a', { name: 'a' }]])('F09 %s', reads);

  test.each<Bad>([
    ['an empty number', 'pet', 'id='],
    ['an empty boolean', 'pet', 'sold='],
    ['a required field is absent', 'required', 'id=1'],
  ])('F09 refused: %s', refuses);

  test.each<Good>([
    ['plus is a space', 'pet', 'name=a+b%2Bc', { name: 'a b+c' }],
    ['encoded separators', 'pet', 'name=a%26b%3Dc', { name: 'a&b=c' }],
    [
      'names of every object are data',
      'pet',
      '__proto__=1&constructor[prototype]=2',
      JSON.parse('{"__proto__":"1","constructor":{"prototype":"2"}}'),
    ],
    ['empty pairs', 'pet', '&&name=a&', { name: 'a' }],
  ])('F10 %s', reads);

  test.each<Bad>([
    ['half a triple', 'pet', 'name=%4'],
    ['in an undeclared field', 'pet', 'name=a&other=%'],
    ['U+0000', 'pet', 'name=%00'],
    ['too deep', 'pet', `a${'[b]'.repeat(5000)}=1`],
  ])('F10 refused: %s', refuses);
});
