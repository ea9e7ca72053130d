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

describe('mediaTypeMatcher', () => {
  const match = (keys: readonly string[], given: string): string | undefined => {
    const parsed = parseMediaType(given);
    return parsed && mediaTypeMatcher(keys.map((key) => ({ key })))(parsed)?.key;
  };
  test.each([
    [['*/*', 'application/*', 'application/json'], 'application/json', 'application/json'],
    [['*/*', 'application/*', 'application/json'], 'application/xml', 'application/*'],
    [['*/*', 'application/*', 'application/json'], 'text/plain', '*/*'],
    [['application/json'], 'APPLICATION/json; charset=utf-8', 'application/json'],
    [['application/json'], 'application/problem+json', undefined],
    [['text/plain; charset=utf-8'], 'text/plain; charset=UTF-8', 'text/plain; charset=utf-8'],
    [['text/plain; charset=utf-8'], 'text/plain', undefined],
    [['application/*', 'application/*+json'], 'application/vnd.a+json', 'application/*+json'],
    [['application/*+json'], 'application/vnd.a+xml', undefined],
    [['application/json; charset=utf-8'], 'application/json', 'application/json; charset=utf-8'],
    [['application/json; charset=utf-8'], 'application/json; charset=latin1', undefined],
    [
      ['application/json; charset=utf-8', 'application/json'],
      'application/json',
      'application/json',
    ],
    [
      ['*/*', 'application/json; charset=utf-8'],
      'application/json',
      'application/json; charset=utf-8',
    ],
    [['text/plain', 'text/plain; version=2'], 'text/plain; version=2', 'text/plain; version=2'],
  ])('B02 B03 %j for %s', (keys, given, want) => {
    expect(match(keys, given)).toBe(want);
  });
});

describe('negotiate', () => {
  const both = ['application/json', 'application/xml'];
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/xml', 'application/xml'],
    ['application/*;q=0.5, application/xml', 'application/xml'],
    ['application/json;q=0.1, application/xml;q=0.2', 'application/xml'],
    ['application/json;q=0, */*', 'application/xml'],
    ['text/html', undefined],
    ['text/html, */*;q=0.1', 'application/json'],
    ['application/xml; charset=UTF-8, text/html', 'application/xml'],
    ['application/xml; charset=utf-16', undefined],
    [';;;', undefined],
  ])('R05 Accept %j', (accept, want) => {
    expect(negotiator(both)(accept)).toBe(want);
  });
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
