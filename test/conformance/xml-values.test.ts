/** Values in XML that are refused, and what differs by direction: X22, X25, X26, X29, X30, X33. What is read is in test/unit. */

import { describe, expect, test } from '@jest/globals';
import { type Bad, json, refuses, send, xml } from './exchange-xml';

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

  test.each<Bad>([
    ['a single value', 'tags', '<o><id>1</id><id>1</id></o>'],
    ['a container', 'wrapped', '<o><tag><tag>1</tag></tag><tag><tag>2</tag></tag></o>'],
  ])('X25 refused twice: %s', refuses);

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

  test('X29 refused where the schema is closed', () =>
    refuses('', 'closed', '<o><id>1</id><age>5</age></o>'));

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
