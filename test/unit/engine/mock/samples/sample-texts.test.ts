/** Texts made from patterns match them, whatever construct the pattern uses. */

import { describe, expect, test } from '@jest/globals';
import { patternTexts } from '../../../../../src/engine/mock/samples/sample-texts';
import { checkedSample } from '../sampler';

const open = { least: 0, most: Number.POSITIVE_INFINITY };

describe('a text that matches', () => {
  test.each([
    ['literals', '^abc$'],
    ['no anchors', 'abc'],
    ['an escaped character', '^a\\.b\\/c$'],
    ['a class', '^[x-z]$'],
    ['a negated class', '^[^a-z0-9]$'],
    ['a class of what is rare', '^[\\u2603-\\u2605]$'],
    ['digits', '^\\d{4}$'],
    ['words and blanks', '^\\w+\\s\\w+$'],
    ['any character', '^.{3}$'],
    ['a quantifier', '^a{2,5}b?c*$'],
    ['a lazy quantifier', '^a+?$'],
    ['alternatives', '^(?:one|two)$'],
    ['groups', '^(a(b))\\2\\1$'],
    ['a named group', '^(?<x>[ab])-\\k<x>$'],
    ['a property of Unicode', '^\\p{Lu}\\p{Ll}+$'],
    ['a property of another script', '^\\p{Script=Hiragana}+$'],
    ['surrogate pairs', '^[😀-😂]$'],
    ['a look ahead', '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[^A-Za-z0-9]).{8,20}$'],
    ['a negative look ahead', '^(?!aaa)[a-z]{3}$'],
    ['a word boundary', '^\\bfoo\\b$'],
    ['an escape that the u flag forbids', '^[\\w\\-\\_]+$'],
    ['an email', '^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}$'],
    ['a version', '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$'],
    ['an ARN', 'arn:aws(-[\\w]+)*:[a-z0-9-]+:[a-z0-9-]*:[0-9]{12}:.+'],
    ['a date', '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'],
    ['a control character', '^\\x01\\cA$'],
    ['nothing', '^$'],
  ])('%s', (_title, pattern) => {
    const { value, faults } = checkedSample({ type: 'string', pattern });
    expect(faults).toEqual([]);
    expect(value).toEqual(
      expect.stringMatching(new RegExp(pattern, /\\[_-]/.test(pattern) ? '' : 'u')),
    );
  });
});

describe('lengths', () => {
  test.each([
    ['a long one', { pattern: '^[a-z]*$', minLength: 40 }],
    ['a very long one', { pattern: '^[a-z]*$', minLength: 5000 }],
    ['a long one with a fixed beginning', { pattern: '^ab[0-9]+$', minLength: 20, maxLength: 21 }],
    ['a short one', { pattern: '^[a-z]+$', maxLength: 1 }],
    ['an exact one', { pattern: '^[A-F0-9]+$', minLength: 64, maxLength: 64 }],
    ['a long one by a part of it', { pattern: 'x', minLength: 12 }],
  ])('%s', (_title, schema) => {
    expect(checkedSample({ type: 'string', ...schema }).faults).toEqual([]);
  });
});

test('different texts for different items', () => {
  const items = { type: 'string', pattern: '^[ab]{2}$' };
  const { value, faults } = checkedSample({ type: 'array', items, minItems: 4, uniqueItems: true });
  expect(faults).toEqual([]);
  expect(new Set(Array.isArray(value) ? value : []).size).toBe(4);
});

test('what repeats repetitions stays short', () => {
  const make = patternTexts('^(?:(?:a{1000}){1000}){1000}$');
  expect(make?.(0, open).length).toBeLessThan(20_000);
});

test('what is no regular expression has no texts', () => {
  expect(patternTexts('(')).toBeUndefined();
});
