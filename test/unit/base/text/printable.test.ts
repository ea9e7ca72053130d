/** Text that must not control a terminal. */

import { expect, test } from '@jest/globals';
import { printable } from '../../../../src/base/text/printable';

test.each([
  ['ESC', '\u001B[31m', '\\u{1b}[31m'],
  ['CSI in one character', '\u009B2J', '\\u{9b}2J'],
  ['a change of direction', 'a\u202Eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
  ['marks of direction', '\u200E\u200F\u061C', '\\u{200e}\\u{200f}\\u{61c}'],
  ['ends of lines', 'a\nb\r\u2028c\u2029\u0085', 'a\\u{a}b\\u{d}\\u{2028}c\\u{2029}\\u{85}'],
  ['NUL, BEL and DEL', '\u0000\u0007\u007F', '\\u{0}\\u{7}\\u{7f}'],
  ['text of people', 'é\t日本 😀 שלום', 'é\t日本 😀 שלום'],
])('%s', (_, given, wanted) => {
  expect(printable(given)).toBe(wanted);
});
