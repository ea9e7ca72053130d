/** Patterns that are none of ECMA-262, or mean something else in another language, and those that are taken as they are. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { foreignPattern } from '../../../../../src/schema/validation/checks/foreign-pattern';
import { valuesOf } from '../../../../support/text-cases';

const cases = join(__dirname, 'foreign-pattern.cases.txt');

test.each(valuesOf<[pattern: string, remedy: string]>(cases, 'another language'))(
  'another language: %s',
  (pattern, remedy) => {
    expect(foreignPattern(pattern)).toContain(remedy);
  },
);

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
