/** Regular expressions of ECMA-262 in the syntax of RE2, which decides every text in time proportional to its length. */

import type { AST } from '@eslint-community/regexpp';
import { lazy } from '../../../base/memoize';

/** Three milliseconds and megabytes that most documents never need. */
const re2 = lazy(() => require('re2js') as typeof import('re2js'));

/** RE2 has no such element. */
class NotExpressible extends Error {}

const codeText = (code: number): string => `\\x{${code.toString(16)}}`;

/** The contents of classes for the escapes; ECMA-262 has more white space and more line ends than RE2. */
const escapes = {
  digit: { set: '\\d', others: '\\D' },
  word: { set: '\\w', others: '\\W' },
  space: {
    set: '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}',
    others:
      '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
      '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}',
  },
};

const setText = (set: AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet): string => {
  if (set.kind !== 'property') return escapes[set.kind][set.negate ? 'others' : 'set'];
  if (/^(?:Script_Extensions|scx)$/.test(set.key)) throw new NotExpressible();
  return `\\${set.negate ? 'P' : 'p'}{${set.value ?? set.key}}`;
};

const memberText = (member: AST.CharacterClassElement): string => {
  switch (member.type) {
    case 'Character':
      return codeText(member.value);
    case 'CharacterSet':
      return setText(member);
    case 'CharacterClassRange':
      return `${codeText(member.min.value)}-${codeText(member.max.value)}`;
    default:
      throw new NotExpressible();
  }
};

const classText = ({ negate, elements }: AST.CharacterClass): string => {
  // `[]` matches nothing, and `[^]` everything.
  if (elements.length === 0) return negate ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]';
  return `[${negate ? '^' : ''}${elements.map(memberText).join('')}]`;
};

const assertionText = (assertion: AST.Assertion): string => {
  if (assertion.kind === 'word') return assertion.negate ? '\\B' : '\\b';
  if (assertion.kind === 'start') return '\\A';
  if (assertion.kind === 'end') return '\\z';
  throw new NotExpressible();
};

const elementText = (element: AST.Element): string => {
  switch (element.type) {
    case 'Character':
      return codeText(element.value);
    case 'CharacterSet':
      // A dot is all but the ends of lines.
      return element.kind === 'any' ? '[^\\n\\r\\x{2028}\\x{2029}]' : `[${setText(element)}]`;
    case 'CharacterClass':
      return classText(element);
    case 'Group':
    case 'CapturingGroup':
      return alternativesText(element.alternatives);
    case 'Quantifier': {
      const most = Number.isFinite(element.max) ? element.max : '';
      return `(?:${elementText(element.element)}){${element.min},${most}}`;
    }
    case 'Assertion':
      return assertionText(element);
    default:
      throw new NotExpressible();
  }
};

const alternativesText = (alternatives: PatternPart['alternatives']): string =>
  `(?:${alternatives.map(({ elements }) => elements.map(elementText).join('')).join('|')})`;

/** Tells whether an element is the `^` of a pattern. */
export const isStart = (element: AST.Element | undefined): boolean =>
  element?.type === 'Assertion' && element.kind === 'start';

const isLookahead = (element: AST.Element): element is AST.LookaheadAssertion =>
  element.type === 'Assertion' && element.kind === 'lookahead';

/** A part of a pattern, which texts match or must not match; `isAnchored` where it holds at the start of the text. */
export interface PatternPart {
  readonly alternatives: readonly Pick<AST.Alternative, 'elements'>[];
  readonly isAnchored: boolean;
  readonly matches: boolean;
}

/**
 * Splits a pattern that begins with look-ahead into expressions that a text must match, or must not: `^(?=.*\d)(?!.*x)[a-z]+$` holds
 * where three expressions do.
 */
export const patternParts = ({ alternatives }: AST.Pattern): readonly PatternPart[] => {
  const [first, ...rest] = alternatives[0]?.elements ?? [];
  const end = rest.findIndex((element) => !isLookahead(element));
  const looks = rest.slice(0, end < 0 ? rest.length : end).filter(isLookahead);
  if (alternatives.length > 1 || !isStart(first) || looks.length === 0) {
    return [{ alternatives, isAnchored: false, matches: true }];
  }
  const main = [{ elements: rest.slice(looks.length) }];
  return [
    ...looks.map((look) => ({ ...look, isAnchored: true, matches: !look.negate })),
    { alternatives: main, isAnchored: true, matches: true },
  ];
};

/**
 * Compiles a pattern; undefined where RE2 cannot express it: back references, look-around except look-ahead at the start,
 * and repetitions of more than 1,000 times.
 */
export const compileRe2 = (pattern: AST.Pattern) => {
  try {
    const parts = patternParts(pattern).map(({ alternatives, isAnchored, matches }) => ({
      expression: re2().RE2JS.compile((isAnchored ? '\\A' : '') + alternativesText(alternatives)),
      matches,
    }));
    return {
      test: (text: string): boolean =>
        parts.every(({ expression, matches }) => expression.test(text) === matches),
      /** The number of instructions, each of which a character may take. */
      size: parts.reduce((sum, { expression }) => sum + expression.programSize(), 0),
    };
  } catch (error) {
    if (error instanceof NotExpressible || error instanceof re2().RE2JSException) return undefined;
    throw error;
  }
};
