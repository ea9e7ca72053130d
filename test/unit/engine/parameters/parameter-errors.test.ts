/** Combinations that OpenAPI leaves undefined are reported when a document is loaded. */

import { expect, test } from '@jest/globals';
import type { Parameter } from '../../../../src/engine/document/model/operation';
import { parameterErrors } from '../../../../src/engine/document/rules/messages/parameter-objects';
import { parameter } from './read-parameter';

test.each<[string, Partial<Parameter>, RegExp]>([
  ['spaceDelimited', { style: 'spaceDelimited', explode: true }, /not defined with explode/],
  ['pipeDelimited', { style: 'pipeDelimited', explode: true }, /not defined with explode/],
  ['deepObject in a header', { in: 'header', style: 'deepObject' }, /not defined in header/],
  ['form in the path', { in: 'path', style: 'form' }, /not defined in path/],
  ['matrix in the query', { style: 'matrix' }, /not defined in query/],
  ['simple in a cookie', { in: 'cookie', style: 'simple' }, /not defined in cookie/],
])('P09 refused: %s', (_title, given, want) => {
  expect(parameterErrors(parameter(given))).toEqual([expect.stringMatching(want)]);
});

test('P17 allowEmptyValue means nothing outside the query', () => {
  expect(parameterErrors(parameter({ in: 'header', allowEmptyValue: true }))).toHaveLength(1);
});

test.each<Partial<Parameter>>([
  {},
  { style: 'spaceDelimited' },
  { style: 'deepObject', explode: true },
  { in: 'path', style: 'matrix', explode: true },
  { in: 'header' },
  { in: 'cookie' },
])('P09 accepted: %p', (given) => {
  expect(parameterErrors(parameter(given))).toEqual([]);
});
