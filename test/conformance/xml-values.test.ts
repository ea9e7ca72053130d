/** Values in XML through a whole exchange: X22, X25, X26, X29, X30, X33. */

import { describe, expect, test } from '@jest/globals';
import {
  type Bad,
  declaration,
  exchanges,
  type Good,
  json,
  refuses,
  send,
  xml,
} from './exchange-xml';

describe('values', () => {
  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  test('X22 null is an empty element, and no attribute', async () => {
    const echo = await send('nulls', '{"n":null,"a":null,"s":"x"}', json, xml);
    expect(echo.received).toEqual({ n: null, a: null, s: 'x' });
    expect(echo.body).toMatch(/^<\?xml.+\n<o.*><n .*xsi:nil="true"\/?>(<\/n>)?<s>x<\/s><\/o>$/);
    expect(echo.body).not.toMatch(/ a=/);
    expect((await send('nulls', echo.body, xml, json)).body).toBe('{"n":null,"s":"x"}');
  });

  test.each<Bad>([
    ['where it is not allowed', 'nulls', `<o ${xsi}><s xsi:nil="true"/></o>`],
    ['with content', 'nulls', `<o ${xsi}><n xsi:nil="true">5</n></o>`],
    ['an empty element instead', 'nulls', '<o><n/></o>'],
  ])('X22 null refused: %s', refuses);

  test.each<Good>([
    [
      'one element is an array of one',
      'tags',
      '<o><id>1</id><tag>a</tag></o>',
      { id: 1n, tag: ['a'] },
      '<o><id>1</id><tag>a</tag></o>',
    ],
    [
      'siblings with others between',
      'tags',
      '<o><tag>a</tag><id>1</id><tag>b</tag></o>',
      { id: 1n, tag: ['a', 'b'] },
      '<o><tag>a</tag><tag>b</tag><id>1</id></o>',
    ],
    [
      'a container of one',
      'wrapped',
      '<o><tag><tag>1</tag></tag></o>',
      { tag: [1n] },
      '<o><tag><tag>1</tag></tag></o>',
    ],
  ])('X25 %s', exchanges);

  test.each<Bad>([
    ['a single value', 'tags', '<o><id>1</id><id>1</id></o>'],
    ['a container', 'wrapped', '<o><tag><tag>1</tag></tag><tag><tag>2</tag></tag></o>'],
  ])('X25 refused twice: %s', refuses);

  test.each<[sent: string, value: object]>([
    ['<n>-9223372036854775808</n>', { n: -9223372036854775808n }],
    ['<d>1.5e3</d>', { d: 1500 }],
    ['<b>true</b>', { b: true }],
    ['<b>1</b>', { b: true }],
    ['<b>0</b>', { b: false }],
    ['<t>2024-02-29T12:00:00Z</t>', { t: '2024-02-29T12:00:00Z' }],
  ])('X26 %s', async (sent, value) => {
    expect(await send('scalars', `<o>${sent}</o>`, xml)).toMatchObject({
      status: 200,
      received: value,
    });
  });

  test.each([
    '<n>0x10</n>',
    '<n>+1</n>',
    '<n>1 2</n>',
    '<n>1.0</n>',
    '<n/>',
    '<n>9223372036854775808</n>',
    '<d>NaN</d>',
    '<d>1,5</d>',
    '<b>TRUE</b>',
    '<b>yes</b>',
    '<t>today</t>',
    '<n><x/></n>',
  ])('X26 refused: %s', (sent) => refuses('', 'scalars', `<o>${sent}</o>`));

  test.each<[title: string, sent: string, value: object]>([
    ['an unknown element', '<pet><age>5</age><id>1</id></pet>', { id: 1n, age: '5' }],
    ['an unknown attribute', '<pet age="5"><id>1</id></pet>', { id: 1n, age: '5' }],
    ['any order', '<pet><name>a</name><id>1</id></pet>', { id: 1n, name: 'a' }],
    [
      'names of every object',
      '<pet><__proto__>1</__proto__><constructor>2</constructor></pet>',
      JSON.parse('{"__proto__":"1","constructor":"2"}'),
    ],
  ])('X29 %s', async (_title, sent, value) => {
    const echo = await send('pet', sent, xml);
    expect([echo.status, echo.received]).toEqual([200, value]);
  });

  test('X29 refused where the schema is closed', () =>
    refuses('', 'closed', '<o><id>1</id><age>5</age></o>'));

  test.each<Good>([
    [
      'markup',
      'token',
      '<string>&lt;a b="c"&gt; &amp;&#38; <![CDATA[<d>]]></string>',
      '<a b="c"> && <d>',
      '<string>&lt;a b="c"&gt; &amp;&amp; &lt;d&gt;</string>',
    ],
    ['what XML 1.0 forbids is replaced', 'token', '', 'a\u0001b', '<string>a\uFFFDb</string>'],
  ])('X30 %s', async (_title, schema, sent, value, written) => {
    const echo =
      sent === ''
        ? await send(schema, JSON.stringify(value), json, xml)
        : await send(schema, sent, xml);
    expect([echo.status, echo.received, echo.body]).toEqual([200, value, declaration + written]);
  });

  test.each([
    '<string>\u0001</string>',
    '<string>&#1;</string>',
    '<string>&#0;</string>',
    '<string>\uFFFE</string>',
  ])('X30 refused: %j', (sent) => refuses('', 'token', sent));

  test('X33 readOnly, writeOnly and default hold as in JSON', async () => {
    const echo = await send('rules', '<o><id>x</id><secret>s</secret></o>', xml);
    expect(echo.received).toEqual({ secret: 's', status: 'new' });
  });

  test.each([
    '<o/>',
    '<o><secret>s</secret><status>other</status></o>',
    '<o><secret>s</secret><day>2023-02-29</day></o>',
  ])('X33 refused: %s', (sent) => refuses('', 'rules', sent));
});
