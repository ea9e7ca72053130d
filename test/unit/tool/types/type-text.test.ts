/** Texts that no schema of the other tests has; how they are put together is tested there. */

import { expect, test } from '@jest/globals';
import {
  block,
  docComment,
  objectType,
  propertyKey,
  quoteText,
  union,
} from '../../../../src/tool/types/type-text';

test.each([
  ["it's", "'it\\'s'"],
  ['say "hi"', '\'say "hi"\''],
  ['\\"', "'\\\\\"'"],
  ['two\nlines', "'two\\nlines'"],
  ['', "''"],
])('the text %j is %s', (given, want) => {
  expect(quoteText(given)).toBe(want);
});

test.each([
  ['__proto__', '__proto__'],
  ['X-Rate-Limit', "'X-Rate-Limit'"],
  ['1st', "'1st'"],
  ['prénom', 'prénom'],
  ['a b', "'a b'"],
])('the property %j is %s', (given, want) => {
  expect(propertyKey(given)).toBe(want);
});

test.each([
  [['unknown /* why */', 'null'], 'unknown /* why */'],
  [['unknown_', 'null'], 'unknown_ | null'],
])('the union of %j is %s', (given, want) => {
  expect(union(given)).toBe(want);
});

test('long members are on lines of their own', () => {
  const [a, b] = [`a: ${'x'.repeat(60)}`, `b: ${'y'.repeat(60)}`];
  expect(objectType([a, b])).toBe(`{\n  ${a};\n  ${b};\n}`);
});

test('a block inside a block moves in by one step, empty lines stay empty', () => {
  expect(block([`a: ${block(['b: string'])}`, 'c: 1\n\nd: 2'])).toBe(
    '{\n  a: {\n    b: string;\n  };\n  c: 1\n\n  d: 2;\n}',
  );
});

test.each([
  ['nothing', [undefined, '  '], ''],
  ['several lines', ['One\n\nTwo\n'], '/**\n * One\n *\n * Two\n */\n'],
  ['the end of a comment', ['a */ b'], '/** a *\\/ b */\n'],
])('a comment of %s', (_, given, want) => {
  expect(docComment(given)).toBe(want);
});
