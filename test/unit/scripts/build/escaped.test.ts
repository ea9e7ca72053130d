/** Programs in ASCII that do what they did. */

import { runInThisContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { escaped } from '../../../../scripts/build/escaped';

const tag = '((strings, ...parts) => strings.map((text, at) => text + (parts[at] ?? "")).join(""))';

describe('a text in ASCII means the same', () => {
  test.each<[string, string]>([
    ['comment', '/* – */ 1 // …'],
    ['text', '"–".length + "…"'],
    ['tagged template', `${tag}\`“\${1}” – 😀\``],
    ['regular expression', '"a…b".replace(/…/g, "...")'],
    ['regular expression with code points', '"😀".replace(/^[😀]$/u, "found")'],
    ['class of characters', '"–b…".replace(/[–…]/g, "")'],
  ])('in a %s', (_, program) => {
    const text = escaped(program);
    expect(text).toMatch(/^[\0-\x7f]+$/);
    expect(runInThisContext(text)).toBe(runInThisContext(program));
  });
});

test.each<[string, string]>([
  ['after a backslash', '/\\…/.test("…")'],
  ['in a raw template', 'String.raw`…`'],
])('a character %s is left, with all others', (_, program) => {
  expect(escaped(`"–"; ${program}`)).toBe(`"–"; ${program}`);
});
