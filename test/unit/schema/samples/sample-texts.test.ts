/** Texts made from patterns match them, whatever construct the pattern uses. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { patternTexts } from '../../../../src/schema/samples/sample-texts';
import { tableOf } from '../../../support/text-cases';
import { checkedSample } from './sampler';

const cases = join(__dirname, 'sample-texts.cases.txt');

const open = { least: 0, most: Number.POSITIVE_INFINITY };

describe('a text that matches', () => {
  test.each(tableOf(cases, 'a text that matches'))('%s', (_title, pattern = '') => {
    const { value, faults } = checkedSample({ type: 'string', pattern });
    expect(faults).toEqual([]);
    expect(value).toEqual(
      expect.stringMatching(new RegExp(pattern, /\\[_-]/.test(pattern) ? '' : 'u')),
    );
  });
});

describe('lengths', () => {
  test.each(tableOf(cases, 'lengths'))('%s', (_title, schema = '') => {
    expect(checkedSample({ type: 'string', ...parse(schema) }).faults).toEqual([]);
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
