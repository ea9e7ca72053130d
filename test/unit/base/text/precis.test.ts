/** Examples of RFC 8265 (sections 3.5 and 4.3) and our own. */

import { describe, expect, test } from '@jest/globals';
import {
  comparableUserName,
  opaqueString,
  userNameProblem,
} from '../../../../src/base/text/precis';

describe('userNameProblem', () => {
  test.each([
    'juliet@example.com',
    'fussball',
    'fu\u00DFball',
    '\u03C0',
    '\u03A3',
    '\u03C3',
    '\u03C2',
    'foo bar',
    "'; drop table users; --",
    '__proto__',
    'a  b',
    '\uFF44emo',
    'de\u0301mo',
    '王小明',
    'علي',
    'आरती',
    'コーヒー',
    'ｺｰﾋｰ',
    '한글',
    '\u{20000}',
    '0',
  ])('takes %j', (name) => {
    expect(userNameProblem(name)).toBeUndefined();
  });

  test.each([
    ['nothing', '', /empty/],
    ['a blank', ' ', /begin or end/],
    ['a blank at the end', 'demo ', /begin or end/],
    ['a blank at the beginning', ' demo', /begin or end/],
    ['a wide blank at the end', 'demo\u3000', /begin or end/],
    ['a blank that does not break', 'de\u00A0mo', /letters/],
    ['a line break', 'de\nmo', /letters/],
    ['a tab at the end', 'demo\t', /letters/],
    ['U+0000', 'de\u0000mo', /letters/],
    ['a character of no width', 'de\u200Bmo', /letters/],
    ['a soft hyphen', 'de\u00ADmo', /letters/],
    ['a joiner', 'de\u200Dmo', /letters/],
    ['a filler of Hangul', 'demo\u3164', /letters/],
    ['a half-width filler', 'demo\uFFA0', /letters/],
    ['a variation selector', 'demo\uFE0F', /letters/],
    ['a turn of the direction', 'de\u202Emo', /letters/],
    ['half of a character', 'demo\uD83D', /letters/],
    ['a private character', '\uE000', /letters/],
    ['an unassigned character', '\u{E0FFF}', /letters/],
    ['a Roman numeral', 'henry\u2163', /letters/],
    ['an infinity sign', '\u221E', /letters/],
    ['a chess piece', '\u265A', /letters/],
    ['a ligature', '\uFB01n', /letters/],
    ['a long s', '\u017Fteve', /letters/],
    ['more marks than any language has', `a${'\u0323'.repeat(31)}`, /letters/],
    ['a stretched letter', 'ع\u0640لي', /letters/],
  ])('refuses %s', (_title, name, wanted) => {
    expect(userNameProblem(name)).toMatch(wanted);
  });
});

describe('comparableUserName', () => {
  test.each([
    ['case', 'Demo', 'demo'],
    ['width', '\uFF24\uFF25\uFF2D\uFF2F', 'demo'],
    ['composition', 'De\u0301mo', 'd\u00E9mo'],
    ['blanks at the ends', ' demo ', 'demo'],
    ['wide blanks', 'a\u3000b', 'a b'],
    ['numbers of blanks', 'a   b', 'a b'],
    ['width and composition', 'ｶﾞ', 'ガ'],
  ])('does not know %s', (_title, one, other) => {
    expect(comparableUserName(one)).toBe(comparableUserName(other));
    expect(comparableUserName(comparableUserName(one))).toBe(comparableUserName(one));
  });

  test.each([
    ['accents', 'demo', 'd\u00E9mo'],
    ['a sharp s and two s', 'fussball', 'fu\u00DFball'],
    ['a final and another sigma', '\u03C3', '\u03C2'],
    ['a blank within', 'ab', 'a b'],
  ])('keeps apart %s', (_title, one, other) => {
    expect(comparableUserName(one)).not.toBe(comparableUserName(other));
  });
});

describe('opaqueString', () => {
  test.each([
    ['case and blanks', 'Correct Horse Battery Staple', 'Correct Horse Battery Staple'],
    ['blanks at the ends', ' a  b ', ' a  b '],
    ['an ogham space mark', 'foo\u1680bar', 'foo bar'],
    ['a blank that does not break', 'foo\u00A0bar', 'foo bar'],
    ['accents in two parts', 'cafe\u0301', 'caf\u00E9'],
    ['width', '\uFF21', '\uFF21'],
    ['30 marks in a row', `e${'\u0301'.repeat(30)}`, `\u00E9${'\u0301'.repeat(29)}`],
    ['more of them, which stay', `e${'\u0301'.repeat(31)}`, `e${'\u0301'.repeat(31)}`],
  ])('%s', (_title, password, wanted) => {
    expect(opaqueString(password)).toBe(wanted);
  });
});
