/** Every style, exploded or not, in every location: raw text to typed values. */

import { describe, expect, test } from '@jest/globals';
import type { OpenAPIV3 } from 'openapi-types';
import type { Parameter } from '../../../../src/engine/document/model/operation';
import { readOne } from './read-parameter';

type Case = [title: string, given: Partial<Parameter>, text: string, want: unknown];

const schema = (given: OpenAPIV3.SchemaObject): Pick<Parameter, 'schema'> => ({ schema: given });
const integer = schema({ type: 'integer' });
const texts = schema({ type: 'array', items: { type: 'string' } });
const numbers = schema({ type: 'array', items: { type: 'number' } });
const color = schema({
  type: 'object',
  properties: { R: { type: 'integer' }, G: { type: 'integer' } },
});
const rgb = { R: 100, G: 200 };
const notPairs = { errors: ['must be a list of key=value pairs'] };
const notAlternating = { errors: ['must be a list of keys and values'] };
const twice = { errors: ['must not name a property more than once'] };

const check = (_title: string, given: Partial<Parameter>, text: string, want: unknown): void => {
  expect(readOne(given, text)).toEqual(want);
};

describe('form in the query', () => {
  test.each<Case>([
    ['a repeated key', texts, 'p=blue&p=black', ['blue', 'black']],
    ['one occurrence is an array of one', texts, 'p=blue', ['blue']],
    ['a comma is data', texts, 'p=blue,black', ['blue,black']],
    ['items are typed', numbers, 'p=1&p=2.5', [1, 2.5]],
    ['an empty occurrence is an empty item', texts, 'p=', ['']],
    ['name[] as some clients write it', texts, 'p[]=a&p%5B%5D=b', ['a', 'b']],
    ['name[0] in the order of the numbers', texts, 'p[10]=c&p[2]=b&p[0]=a', ['a', 'b', 'c']],
    ['a huge index makes no huge array', texts, 'p[999999999]=a', ['a']],
    ['absent', texts, 'q=1', undefined],
  ])('P02 %s', check);

  test.each<Case>([
    ['commas', { ...texts, explode: false }, 'p=blue,black', ['blue', 'black']],
    ['an encoded comma stays', { ...texts, explode: false }, 'p=a%2Cb,c', ['a,b', 'c']],
    ['typed items', { ...numbers, explode: false }, 'p=1,2,x', [1, 2, 'x']],
    [
      'given twice',
      { ...texts, explode: false },
      'p=a&p=b',
      { errors: ['must not be given more than once'] },
    ],
  ])('P03 %s', check);

  test.each<Case>([
    ['exploded: keys of the query', color, 'R=100&G=200', rgb],
    ['exploded: nothing of it came', color, 'p=1&x=2', undefined],
    [
      'exploded: a property twice',
      color,
      'R=1&R=2',
      { errors: ['must not be given more than once'] },
    ],
    [
      'exploded: a property that is an array',
      schema({
        type: 'object',
        properties: { ids: { type: 'array', items: { type: 'integer' } } },
      }),
      'ids=1&ids=2',
      { ids: [1, 2] },
    ],
    ['alternating', { ...color, explode: false }, 'p=R,100,G,200', rgb],
    ['alternating, encoded', { ...color, explode: false }, 'p=R,100,%47,2%300', rgb],
    ['odd length', { ...color, explode: false }, 'p=R,100,G', notAlternating],
    ['a key twice', { ...color, explode: false }, 'p=R,1,R,2', twice],
    [
      'keys of every object are data',
      { ...color, explode: false },
      'p=__proto__,1,constructor,2',
      JSON.parse('{"__proto__":"1","constructor":"2"}'),
    ],
  ])('P04 %s', check);
});

describe('simple', () => {
  test.each<Case>([
    ['path', { in: 'path', ...texts }, 'blue,black', ['blue', 'black']],
    ['path, exploded', { in: 'path', ...texts, explode: true }, 'blue,black', ['blue', 'black']],
    ['path, encoded comma', { in: 'path', ...texts }, 'a%2Cb,c', ['a,b', 'c']],
    ['path, plus is plus', { in: 'path', ...texts }, 'a+b', ['a+b']],
    ['header', { in: 'header', ...numbers }, '1, 2 ,3', [1, 2, 3]],
    ['header, exploded', { in: 'header', ...numbers, explode: true }, '1,2', [1, 2]],
    ['header, nothing is decoded', { in: 'header', ...texts }, 'a%2Cb', ['a%2Cb']],
  ])('P05 %s', check);

  test.each<Case>([
    ['path, alternating', { in: 'path', ...color }, 'R,100,G,200', rgb],
    ['path, exploded', { in: 'path', ...color, explode: true }, 'R=100,G=200', rgb],
    ['header, alternating', { in: 'header', ...color }, 'R, 100, G, 200', rgb],
    ['header, exploded', { in: 'header', ...color, explode: true }, 'R=100, G=200', rgb],
    ['odd length', { in: 'path', ...color }, 'R,100,G', notAlternating],
    ['no pairs', { in: 'path', ...color, explode: true }, 'R,100', notPairs],
    ['a key twice', { in: 'path', ...color, explode: true }, 'R=1,R=2', twice],
  ])('P06 %s', check);
});

describe('label', () => {
  const label: Partial<Parameter> = { in: 'path', style: 'label' };
  const exploded: Partial<Parameter> = { ...label, explode: true };
  test.each<Case>([
    ['primitive', { ...label, ...integer }, '.5', 5],
    ['primitive with a dot', { ...label, schema: { type: 'number' } }, '.1.5', 1.5],
    ['array by commas', { ...label, ...texts }, '.blue,black', ['blue', 'black']],
    ['array by commas keeps dots', { ...label, ...numbers }, '.1.5,2', [1.5, 2]],
    [
      'array by dots, as OAS 3.0.3 shows it',
      { ...label, ...texts },
      '.blue.black',
      ['blue', 'black'],
    ],
    ['exploded array by dots', { ...exploded, ...texts }, '.blue.black', ['blue', 'black']],
    ['exploded array keeps commas', { ...exploded, ...texts }, '.a,b.c', ['a,b', 'c']],
    ['object by commas', { ...label, ...color }, '.R,100,G,200', rgb],
    ['object by dots, as OAS 3.0.3 shows it', { ...label, ...color }, '.R.100.G.200', rgb],
    ['exploded object', { ...exploded, ...color }, '.R=100.G=200', rgb],
    ['exploded object without pairs', { ...exploded, ...color }, '.R.100', notPairs],
    ['no dot', { ...label, ...integer }, '5', { errors: ['must begin with a dot'] }],
  ])('P07 %s', check);
});

describe('matrix', () => {
  const matrix: Partial<Parameter> = { in: 'path', style: 'matrix' };
  const exploded: Partial<Parameter> = { ...matrix, explode: true };
  const notItself = { errors: ['must consist of the parameter itself'] };
  const repeated = { errors: ['must not be given more than once'] };
  test.each<Case>([
    ['primitive', { ...matrix, ...integer }, ';p=5', 5],
    ['primitive, exploded', { ...exploded, ...integer }, ';p=5', 5],
    ['an empty text', matrix, ';p', ''],
    ['array', { ...matrix, ...texts }, ';p=blue,black', ['blue', 'black']],
    ['array, exploded', { ...exploded, ...texts }, ';p=blue;p=black', ['blue', 'black']],
    ['object', { ...matrix, ...color }, ';p=R,100,G,200', rgb],
    ['object, exploded', { ...exploded, ...color }, ';R=100;G=200', rgb],
    ['odd length', { ...matrix, ...color }, ';p=R', notAlternating],
    ['another name', { ...matrix, ...integer }, ';q=5', notItself],
    ['no semicolon', { ...matrix, ...integer }, 'p=5', { errors: ['must begin with a semicolon'] }],
    ['a primitive twice', { ...matrix, ...integer }, ';p=5;p=6', repeated],
    ['an array twice', { ...matrix, ...texts }, ';p=5;p=6', repeated],
  ])('P08 %s', check);
});

describe('delimited', () => {
  const space: Partial<Parameter> = { style: 'spaceDelimited' };
  const pipe: Partial<Parameter> = { style: 'pipeDelimited' };
  test.each<Case>([
    ['encoded spaces', { ...space, ...texts }, 'p=a%20b%20c', ['a', 'b', 'c']],
    ['plus', { ...space, ...texts }, 'p=a+b', ['a', 'b']],
    ['an encoded plus is data', { ...space, ...texts }, 'p=a%2Bb+c', ['a+b', 'c']],
    ['raw pipes', { ...pipe, ...numbers }, 'p=1|2', [1, 2]],
    ['encoded pipes', { ...pipe, ...numbers }, 'p=1%7C2%7c3', [1, 2, 3]],
    ['an object of spaces', { ...space, ...color }, 'p=R%20100%20G%20200', rgb],
    ['an object of pipes', { ...pipe, ...color }, 'p=R|100|G|200', rgb],
    ['odd length', { ...pipe, ...color }, 'p=R|100|G', notAlternating],
  ])('P09 %s', check);
});

describe('cookies', () => {
  const cookie: Partial<Parameter> = { in: 'cookie' };
  test.each<Case>([
    ['a single value', { ...cookie, ...integer }, '5; q=6', 5],
    ['a value with an equals sign', cookie, 'a=b', 'a=b'],
    ['percent-encoding', cookie, 'caf%C3%A9', 'café'],
    ['plus is plus', cookie, 'a+b', 'a+b'],
    ['array as explode false', { ...cookie, ...texts }, 'a%2Cb,c', ['a,b', 'c']],
    ['object as explode false', { ...cookie, ...color }, 'R,100,G,200', rgb],
  ])('P23 %s', check);
});
