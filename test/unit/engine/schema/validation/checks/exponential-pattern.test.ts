/** Patterns that take exponential time are known, and stopped. */

import { describe, expect, test } from '@jest/globals';
import {
  mayExplode,
  patternCheck,
  testInTime,
} from '../../../../../../src/engine/schema/validation/checks/pattern-check';

describe('a pattern that may explode', () => {
  test.each([
    ['^(a+)+$', true],
    ['^([/\\w .-]*)*/?$', true],
    ['^(a|a)*$', true],
    ['^(?:a|b)+$', true],
    ['^((ab?)c){2,50}$', true],
    ['^[a-z]+$', false],
    ['^(abc)+$', false],
    ['^(a{3})+$', false],
    ['^(a+){1,3}$', false],
    ['^[\\w\\-\\_]+$', false],
    ['(', false],
  ])('%s: %s', (source, expected) => {
    expect(mayExplode(source)).toBe(expected);
  });
});

describe('a text', () => {
  const expression = /^(a+)+$/;
  test.each([
    ['short', 'aaa', true],
    ['short, and does not match', 'aab', false],
    ['long', 'a'.repeat(1000), true],
    ['not decided in time', `${'a'.repeat(60)}b`, false],
    ['long again', 'a'.repeat(1000), true],
  ])('%s', (_title, text, expected) => {
    expect(testInTime(expression, text)).toBe(expected);
  });
});

test('a value that would keep the server busy does not fit', () => {
  const check = patternCheck({
    pattern: '^(https?://)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*/?$',
  });
  const url = 'https://upload.example.com/wikipedia/commons/thumb/e/e5/Somebody_%28cropped%29.jpg';
  expect(check?.accepts('https://example.com/a/long/way/to/go')).toBe(true);
  expect(check?.accepts(url)).toBe(false);
});
