/** The entry of a content map that reads a request body: B02 to B05 and B07. */

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import {
  type Bad,
  bodiesRead,
  form,
  type Good,
  json,
  post,
  reads,
  refuses,
  xml,
} from './serve-bodies';

describe('which entry', () => {
  test.each<Good>([
    ['exact', 'ranges', 'text/plain', 'plain text', 'plain text'],
    ['a range of subtypes', 'ranges', 'text/csv', 'some text', 'some text'],
    ['any type', 'ranges', 'image/png', 'abc', Buffer.from('abc')],
    ['a format behind a range', 'ranges', json, '9007199254740993', 9007199254740993n],
  ])('B02 %s', reads);

  test.each<Bad>([
    ['not the range beside the exact type', 'ranges', 'text/plain', 'some text', 400],
    ['not any type beside the range', 'ranges', 'text/csv', 'abc', 400],
    ['nor the exact type', 'ranges', 'image/png', 'plain text', 400],
  ])('B02 %s', refuses);

  test.each<Good>([
    ['in another case', 'required', 'APPLICATION/Json', '{"n":1}', { n: 1n, m: 7 }],
    ['with a charset', 'required', 'application/json;charset=UTF-8', '{"n":1}', { n: 1n, m: 7 }],
    ...['application/json;', '  application/json  ', 'application/json; version=1; x=y'].map(
      (type): Good => [`"${type}"`, 'required', type, '{}', { m: 7 }],
    ),
    [
      'with blanks and quotes',
      'required',
      'application/json ; charset="utf-8" ; x=y',
      '{}',
      { m: 7 },
    ],
    ['the key has the parameter', 'versions', 'application/json; Version=2', '"a"', 'a'],
    [
      'the key has one of the parameters',
      'versions',
      'application/json; a=b; version="2"',
      '"a"',
      'a',
    ],
    ['the key has no parameter', 'versions', json, '5', 5n],
    ['another value of the parameter', 'versions', 'application/json; version=3', '5', 5n],
    ['a charset in the key', 'versions', 'text/plain; charset=UTF-8', 'é', 'é'],
  ])('B03 %s', reads);

  test.each<Bad>([
    ['a parameter that the key asks for is missing', 'versions', 'text/plain', 'a', 415],
    ...['utf-7', 'utf-16', 'x-unknown', '"iso-8859-1"'].map(
      (charset): Bad => [charset, 'required', `application/json; charset=${charset}`, '{}', 415],
    ),
  ])('B03 %s', refuses);

  test.each<Bad>([
    ['another type', 'required', 'text/plain', '{}', 415],
    ['another suffix', 'required', 'application/vnd.pair+json', '{}', 415],
    ['a range', 'required', '*/*', '{}', 415],
    ['a list', 'required', 'application/json, text/plain', '{}', 415],
    ['no media type', 'required', 'json', '{}', 415],
    ['half a media type', 'required', 'application/', '{}', 415],
    ...[
      ...['/', ';', '/json', 'application/json/x', 'application/jsonx', 'application/x-json'],
      ...['text/json', '__proto__', 'constructor/prototype', 'x'.repeat(8000), 'a/'.repeat(3000)],
    ].map((type): Bad => [type.slice(0, 30), 'required', type, '{}', 415]),
  ])('B04 %s', refuses);

  test('B04 a bad type is no bad body', async () => {
    expect((await post('405', 'text/plain', '{}')).status).toBe(415);
    expect((await post('405', json, '[]')).status).toBe(405);
  });

  test('B04 the answer says what is supported', async () => {
    const { headers } = await post('required', 'text/plain', 'x');
    expect(headers['accept']).toBe(`${json}, ${xml}, ${form}`);
  });

  test('B04 a Content-Encoding', async () => {
    const zipped = (body: string) =>
      post('required', json, gzipSync(body), { 'Content-Encoding': 'gzip' });
    expect((await zipped('{"n":1}')).status).toBe(200);
    expect((await zipped(' '.repeat(100_000))).status).toBe(413);
    expect((await post('required', json, '{}', { 'Content-Encoding': 'x-own' })).status).toBe(415);
    expect((await post('required', json, '{}', { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect(bodiesRead()).toEqual([{ n: 1n, m: 7 }]);
  });

  test.each<Bad>([
    ['JSON', 'required', undefined, '{}', 415],
    ['bytes', 'bytes', undefined, 'abc', 415],
    ['any type would do', 'ranges', undefined, 'abc', 415],
    ['an optional body', 'optional', undefined, '{}', 415],
    ['an empty Content-Type', 'required', '', '{}', 415],
  ])('B05 no Content-Type: %s', refuses);

  test.each<Good>([
    ['+json', 'suffixes', 'application/vnd.pair+json', '{"n":1}', { n: 1n, m: 7 }],
    [
      '+xml, in any case',
      'suffixes',
      'application/VND.pair+xml',
      '<pair><n>1</n></pair>',
      { n: 1n, m: 7 },
    ],
    ['a type behind a range', 'ranges', 'application/vnd.own+json', '5', 5n],
  ])('B07 %s', reads);

  test('B07 a suffix does not change what is malformed', () =>
    refuses('', 'suffixes', 'application/vnd.pair+json', '<pair/>', 400));
});
