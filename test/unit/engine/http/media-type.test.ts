/** Media types as such; how they are matched and negotiated is in test/conformance. */

import { describe, expect, test } from '@jest/globals';
import {
  concreteMediaType,
  mediaTypeMatcher,
  negotiator,
  parseMediaType,
} from '../../../../src/engine/http/media-type';

describe('parseMediaType', () => {
  test.each([
    ['Application/JSON; charset=UTF-8', { essence: 'application/json', charset: 'UTF-8' }],
    ['text/xml', { essence: 'text/xml', charset: undefined }],
    ['json', undefined],
    ['', undefined],
    ['application/', undefined],
    ['/json', undefined],
    ['a b/c', undefined],
  ])('%j', (text, want) => {
    const parsed = parseMediaType(text);
    expect(parsed && { essence: parsed.essence, charset: parsed.parameters['charset'] }).toEqual(
      want,
    );
  });
});

test('negotiation takes what is no Accept for one that nothing meets', () => {
  expect(negotiator(['application/json', 'application/xml'])(';;;')).toBeUndefined();
});

test('the key with more parameters comes first', () => {
  const keys = ['text/plain', 'text/plain; version=2'].map((key) => ({ key }));
  const given = parseMediaType('text/plain; version=2');
  expect(given && mediaTypeMatcher(keys)(given)?.key).toBe('text/plain; version=2');
});

test.each([
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/*', 'text/plain'],
  ['image/png', 'image/png'],
])('a range %s is answered as %s', (key, want) => {
  expect(concreteMediaType(key)).toBe(want);
});
