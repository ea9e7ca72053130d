/** Media types as such; how they are matched and negotiated is in test/conformance. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  charsetOf,
  concreteMediaType,
  inUtf8,
  mediaTypeMatcher,
  negotiator,
  parseMediaType,
  type ValueKind,
} from '../../../src/base/media-type';
import { valuesOf } from '../../support/text-cases';

const cases = join(__dirname, 'media-type.cases.txt');

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
  [['application/*+json'], 'application/json', 'application/*+json'],
  [['application/*', 'application/json'], 'application/json', 'application/json'],
  [['application/*+json'], 'application/x-json', undefined],
  [['application/json; charset=utf-8'], 'application/json', 'application/json; charset=utf-8'],
  [['application/json; charset=utf-8'], 'application/json; charset=latin1', undefined],
  [['application/json; charset=utf-8', 'application/json'], 'application/json', 'application/json'],
])('B02 B03 %j for %s', (keys, text, want) => {
  const given = parseMediaType(text);
  expect(given && mediaTypeMatcher(keys.map((key) => ({ key })))(given)?.key).toBe(want);
});

test.each<[key: string, kind: ValueKind | undefined, want: string]>([
  ['*/*', undefined, 'application/json'],
  ['*/*', 'text', 'text/plain'],
  ['*/*', 'bytes', 'application/octet-stream'],
  ['application/*', undefined, 'application/json'],
  ['application/*', 'text', 'application/json'],
  ['application/*', 'bytes', 'application/octet-stream'],
  ['text/*', undefined, 'text/plain'],
  ['text/*; charset=utf-8', 'text', 'text/plain'],
  ['text/*', 'object', 'text/json'],
  ['image/*', undefined, 'image/png'],
  ['image/*', 'sample', 'image/png'],
  ['image/*', 'bytes', 'application/octet-stream'],
  ['model/*', undefined, 'application/octet-stream'],
  ['multipart/*', undefined, 'multipart/mixed'],
  ['application/*+json', undefined, 'application/json'],
  ['application/*+json', 'bytes', 'application/octet-stream'],
  ['image/png', 'text', 'image/png'],
])('a range %s is answered for %s as %s', (key, kind, want) => {
  expect(concreteMediaType(key, kind)).toBe(want);
});

test.each([
  ['text/plain; charset=iso-8859-1', 'text/plain; charset=utf-8'],
  ['text/plain; Charset="UTF-8"', 'text/plain; Charset="UTF-8"'],
  ['text/csv; charset=latin1; header=present', 'text/csv; charset=utf-8; header=present'],
  ['text/csv', 'text/csv'],
])('%s of a text in UTF-8 is %s', (mediaType, want) => {
  expect(inUtf8(mediaType)).toBe(want);
});

test.each(valuesOf<[contentType: string, charset?: string]>(cases, 'charsets'))(
  'the charset of %j',
  (contentType, charset) => {
    expect(charsetOf(contentType)).toBe(charset);
  },
);
