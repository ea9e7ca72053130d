/** Media types as such; how they are matched and negotiated is in test/conformance. */

import { describe, expect, test } from '@jest/globals';
import {
  charsetOf,
  concreteMediaType,
  mediaTypeMatcher,
  negotiator,
  parseMediaType,
} from '../../../src/base/media-type';

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

test.each([
  [';;;', undefined],
  ['application/xml; charset=UTF-8, text/html', 'application/xml'],
  ['application/xml; charset=utf-16', undefined],
])('R05 Accept %j', (accept, want) => {
  expect(negotiator(['application/json', 'application/xml'])(accept)).toBe(want);
});

test.each([
  [['text/plain', 'text/plain; version=2'], 'text/plain; version=2', 'text/plain; version=2'],
  [['application/*', 'application/*+json'], 'application/vnd.a+json', 'application/*+json'],
  [['application/*+json'], 'application/vnd.a+xml', undefined],
  [['application/json; charset=utf-8'], 'application/json', 'application/json; charset=utf-8'],
  [['application/json; charset=utf-8'], 'application/json; charset=latin1', undefined],
  [['application/json; charset=utf-8', 'application/json'], 'application/json', 'application/json'],
])('B02 B03 %j for %s', (keys, text, want) => {
  const given = parseMediaType(text);
  expect(given && mediaTypeMatcher(keys.map((key) => ({ key })))(given)?.key).toBe(want);
});

test.each([
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/*', 'text/plain'],
  ['application/*+json', 'application/json'],
  ['image/png', 'image/png'],
])('a range %s is answered as %s', (key, want) => {
  expect(concreteMediaType(key)).toBe(want);
});

test.each([
  ['application/json', undefined],
  ['application/json; version=1', undefined],
  ['application/json;charset=UTF-8', 'UTF-8'],
  ['text/xml ; Charset = "iso-8859-1" ; x=y', 'iso-8859-1'],
  ['application/json; charset', ''],
  ['application/json; charset=', ''],
  ['application/json; charset=""', ''],
  ['application/json; charset="utf-8', ''],
  ['application/json; charset=utf-8"', ''],
  ['application/json; charset=utf-8, x', ''],
  ['application/json; charset=utf-8; charset=utf-8', ''],
])('the charset of %j', (contentType, charset) => {
  expect(charsetOf(contentType)).toBe(charset);
});
