/** Parameters of every style alike: declarations, names and encoding; P11 to P18 and P24. */

import { describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, witness } from './ask';
import {
  type Bad,
  type Declared,
  type Good,
  inCookie,
  inHeader,
  inPath,
  inQuery,
  int64,
  integer,
  reads,
  refuses,
  text,
} from './read-parameters';

const malformed = 'must be well-formed percent-encoded UTF-8';
const contentOf = (type: string, schema: object): Declared => ({ content: { [type]: { schema } } });

describe('declarations', () => {
  const filter = { type: 'object', required: ['n'], properties: { n: int64 } };
  test.each<Good>([
    [
      'JSON in the query',
      contentOf('application/json', filter),
      '?p=%7B%22n%22%3A+9007199254740993%7D',
      { p: { n: 9007199254740993n } },
    ],
    [
      'JSON in the path',
      { in: 'path', ...contentOf('application/json', filter) },
      '/%7B%22n%22:5%7D',
      { p: { n: 5n } },
    ],
    [
      'JSON in a header',
      { in: 'header', ...contentOf('application/json', filter) },
      '',
      { p: { n: 5n } },
      { P: '{"n":5}' },
    ],
    [
      'JSON in a cookie',
      { in: 'cookie', ...contentOf('application/json', filter) },
      '',
      { p: { n: 5n } },
      { Cookie: 'p=%7B%22n%22:5%7D' },
    ],
    ['a type that nothing reads stays text', contentOf('text/x-own', text), '?p=%7B', { p: '{' }],
  ])('P11 content: %s', reads);

  test.each<Bad>([
    ...['', 'nonsense', '{"n"', '{"n":1,"n":2}'].map(
      (value): Bad => [
        `malformed: ${value}`,
        contentOf('application/json', filter),
        `?p=${value}`,
        ['query p'],
      ],
    ),
    ['unfit', contentOf('application/json', filter), '?p={}', ['query p/n']],
    [
      'twice',
      contentOf('application/json', filter),
      '?p={"n":1}&p={"n":2}',
      ['query p must not be given more than once'],
    ],
  ])('P11 content, refused: %s', refuses);

  test('P12 a path parameter is required, whatever is declared', async () => {
    await reads('', inPath(int64, { required: false }), '/5', { p: 5n });
    await refuses('', inPath(int64), '/x', ['path p']);
    await refuses('', inPath({ ...text, minLength: 2 }), '/x', ['path p']);
  });

  test.each<Good>([
    ['in another case', inHeader(int64), '', { 'X-P': 5n }, { 'x-p': '5' }],
    [
      'Accept is none',
      [inHeader(int64, { name: 'Accept' }), inHeader(int64)],
      '',
      { 'X-P': 5n },
      { Accept: '*/*', 'X-P': '5' },
    ],
    ['Content-Type is none', inHeader(int64, { name: 'content-type', required: true }), '', {}],
    [
      'Authorization is none',
      inHeader(int64, { name: 'Authorization', required: true }),
      '',
      {},
      { Authorization: 'x' },
    ],
  ])('P13 a header %s', reads);

  test.each<Good>([
    ['query', [inQuery(integer), inQuery(integer, { name: 'P' })], '?P=1&p=2', { p: 2, P: 1 }],
    ['path', [inPath(integer), inPath(integer, { name: 'P' })], '/2/1', { p: 2, P: 1 }],
    ['an encoded name', inQuery(integer, { name: 'é b' }), '?%C3%A9+b=1', { 'é b': 1 }],
    [
      'the same name elsewhere',
      [inPath(integer), inQuery(text, { name: 'q' })],
      '/2?p=x&q=y',
      { p: 2, q: 'y' },
    ],
  ])('P14 names are case-sensitive: %s', reads);

  test('P14 another case is another name', () =>
    refuses('', inQuery(integer, { required: true }), '?P=1', ['query p']));

  test('P15 the operation overrides by name and place, and removes nothing', async () => {
    const parameter = (name: string, place: string, schema: object) => ({
      name,
      in: place,
      schema,
    });
    const { handler, calls } = witness();
    const { url } = await serveDocument({
      document: {
        paths: {
          '/a': {
            parameters: [
              parameter('p', 'query', text),
              parameter('q', 'query', int64),
              parameter('X-P', 'header', text),
            ],
            get: {
              operationId: 'a',
              parameters: [
                parameter('p', 'query', int64),
                parameter('q', 'header', text),
                parameter('x-p', 'header', int64),
              ],
              responses: { 200: { description: 'Fine' } },
            },
          },
        },
      },
      handlers: { a: handler },
    });
    expect((await ask(url, '/a?p=1&q=2', { headers: { Q: '3', 'X-P': '4' } })).status).toBe(200);
    expect(calls.map(({ query, header }) => ({ ...query, ...{ header: { ...header } } }))).toEqual([
      { p: 1n, q: 2n, header: { q: '3', 'x-p': 4n } },
    ]);
    expect((await ask(url, '/a?p=x')).status).toBe(400);
  });
});

describe('encoding', () => {
  test.each<Good>([
    ['raw', inQuery(text, { allowReserved: true }), "?p=:/?@!$'()*,;[]", { p: ":/?@!$'()*,;[]" }],
    ...["a/b?c:d@e!f$g'h(i)j*k;l", '[x]', 'a=b', '{"a":1}'].map(
      (value): Good => [
        `${value}, although not allowed`,
        inQuery(text),
        `?p=${value}`,
        { p: value },
      ],
    ),
    ['encoded once', inQuery(text), '?p=%2525%26', { p: '%25&' }],
    ['in the path', inPath(text), '/a%2Fb%2525', { p: 'a/b%25' }],
  ])('P16 reserved characters: %s', reads);

  test.each<Good>([
    ['counts as absent', inQuery(integer, { allowEmptyValue: true }), '?p=', {}],
    ['without an equals sign', inQuery(integer, { allowEmptyValue: true }), '?p', {}],
    [
      'takes the default',
      inQuery({ ...integer, default: 5 }, { allowEmptyValue: true }),
      '?p=',
      { p: 5 },
    ],
    ['is text elsewhere', inQuery(text), '?p=', { p: '' }],
    [
      'is text where required',
      inQuery(text, { allowEmptyValue: true, required: true }),
      '?p=',
      { p: '' },
    ],
    ['is no other value', inQuery(text, { allowEmptyValue: true }), '?p=x', { p: 'x' }],
  ])('P17 an empty value %s', reads);

  test.each<Bad>([
    ['no number', inQuery(integer), '?p=', ['query p']],
    ['too short', inQuery({ ...text, minLength: 1 }), '?p', ['query p']],
    ['not in the list', inQuery({ ...text, enum: ['a'] }), '?p=', ['query p']],
  ])('P17 an empty value is validated: %s', refuses);

  test.each<Good>([
    ['a space', inQuery(text), '?p=a+b%20c', { p: 'a b c' }],
    ['encoded, itself', inQuery(text), '?p=a%2Bb', { p: 'a+b' }],
    ['itself in the path', inPath(text), '/a+b', { p: 'a+b' }],
    ['itself in a header', inHeader(text), '', { 'X-P': 'a+b' }, { 'X-P': 'a+b' }],
  ])('P18 a plus is %s', reads);

  test.each<Bad>([
    ['in an undeclared parameter', inQuery(text), '?p=a&q=%', [`query  ${malformed}`]],
    ['in a name', inQuery(text), '?%=a', [`query  ${malformed}`]],
    ['in the path', inPath(text), '/%E4', [`path p ${malformed}`]],
    ['in a cookie', inCookie(text), '', [`cookie p ${malformed}`], { Cookie: 'p=%C3' }],
    ['in an item', inQuery({ type: 'array', items: text }), '?p=a&p=%', [`query p ${malformed}`]],
    [
      'in a member',
      inQuery({ type: 'object' }, { style: 'deepObject' }),
      '?p[a]=%',
      [`query p ${malformed}`],
    ],
    ['U+0000', inQuery(text), '?p=%00', ['query p must not contain the character U+0000']],
    ['U+0000 in the path', inPath(text), '/%00', ['path p must not contain the character U+0000']],
    [
      'too many pairs',
      inQuery(text, { required: true }),
      `?${'a&'.repeat(1001)}`,
      ['query  must not have more than 1000 parameters'],
    ],
  ])('P24 malformed encoding: %s', refuses);

  test.each(['%', '%4', '%zz', 'a%', '%C3', '%C3%28', '%ED%A0%80', '%FF', '%C0%80'])(
    'P24 malformed encoding: %s',
    (value) => refuses('', inQuery(text), `?p=${value}`, [`query p ${malformed}`]),
  );
});
