/** Patterns that are none of ECMA-262, or mean something else in another language, and those that are taken as they are. */

import { expect, test } from '@jest/globals';
import { foreignPattern } from '../../../../../src/schema/validation/checks/foreign-pattern';

test.each([
  ['(?i)^[0-9a-f]{8}$', 'no flags'],
  ['^(?i:a)$', 'no flags'],
  ['^(?-i)a', 'no flags'],
  ['^(?x)a', 'no flags'],
  ['/^abc$/i', 'without slashes'],
  ['/^abc$/', 'without slashes'],
  ['/^abc/', 'without slashes'],
  ['\\A[a-z]+\\z', 'Write ^ for the start'],
  ['^a\\Z', 'Write ^ for the start'],
  ['\\Ga', 'Write ^ for the start'],
  ['[[:alpha:]]+', 'no classes such as'],
  ['^[a-z[:digit:]_]+$', 'no classes such as'],
  ['[:^space:]', 'no classes such as'],
  ['^a++$', 'no possessive quantifiers'],
  ['^a*+$', 'no possessive quantifiers'],
  ['^(?>a)$', 'no possessive quantifiers'],
  ['(?P<name>a)', '(?<name>'],
  ['(?<name>a)(?P=name)', '(?<name>'],
  ['^\\h+$', 'horizontal'],
  ['^\\p{IsGreek}+$', 'Script=Greek'],
  ['^\\p{Alnum}+$', 'Script=Greek'],
  ['^\\p{L}+\\-$', 'Script=Greek'],
  ['^a{,5}$', '{0,9}'],
  ['^[a-z&&[^b]]+$', 'no operations on classes'],
  ['^[a-z-[aeiou]]+$', 'no operations on classes'],
  ['\\Qa.b\\E', 'of JavaScript'],
  ['^\\i\\c*$', 'of JavaScript'],
  ['a\\R', 'of JavaScript'],
])('another language: %s', (pattern, remedy) => {
  expect(foreignPattern(pattern)).toContain(remedy);
});

test.each([
  '^[\\w.-]+@[a-z]{2,}$',
  '^[\\w\\-]+\\-\\_\\@$',
  '^\\/[a-z]+\\$\\/usd',
  '^/v[0-9]+/$',
  '/items/[0-9]+',
  '^\\p{L}+$',
  '^\\p{Script=Greek}+$',
  '^\\x41\\u0041\\cA\\d\\D\\w\\W\\s\\S\\b\\B\\f\\n\\r\\t\\v\\0$',
  '^\\u{1F600}$',
  '^(?<a>x)\\k<a>$',
  '^(?=.*[A-Z])(?!a)(?<=b)(?<!c)(?:d)$',
  '^[^[\\]]+$',
  '^[[]a$',
  '^[$/a-z]+$',
  '^[*+]+$',
  '^a+?b*?c{1,2}?$',
  '^\\{,5\\}$',
])('ECMA-262: %s', (pattern) => {
  expect(foreignPattern(pattern)).toBeUndefined();
});
