/** Patterns of other languages than ECMA-262, where the same text is no pattern, or one of another meaning. */

import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { memoize } from '../../../base/memoize';
import { attempt } from '../../../base/recover';
import { parsePattern } from './pattern-check';

const delimited = /^\/\^|(?<!\\)\$\/[a-z]*$/;
const namedClass = /\[:\^?[a-z]+:\]/;
const openRepetition = /(?<!\\)\{,\d+\}/;

/** Constructs of other languages, and sentences about how ECMA-262 writes them. */
const remedies: readonly (readonly [construct: RegExp, remedy: string])[] = [
  [delimited, 'Write it without slashes around it, and without flags.'],
  [/\(\?[a-z]*-?[a-z]+[:)]/i, 'It has no flags: write [Aa] for a letter of either case.'],
  [/\(\?P[<=>]/, 'Write (?<name>…) for a group with a name, and \\k<name> for what it matched.'],
  [
    /\\p/i,
    'Write \\p{L} or \\p{Script=Greek} for characters of Unicode; beside it - and _ must not be escaped.',
  ],
  [/\(\?>|[*+?}]\+/, 'It has no possessive quantifiers: write those without the last +.'],
  [namedClass, 'It has no classes such as [:alpha:]: write [A-Za-z], or \\p{L} for all letters.'],
  [/\\[AGZz]/, 'Write ^ for the start, and $ for the end of the text.'],
  [/\\[hH]/, 'Write [ \\t] for horizontal white space.'],
  [openRepetition, 'Write {0,9} for at most 9.'],
  [/&&\[|-\[/, 'It has no operations on classes: list the characters.'],
];

/** A class with an open bracket in it, behind which another bracket closes nothing. */
const classInClass = /\[[^\]\\]*\[[^\]]*\][^[]*\]/;

/** Tells whether a pattern that ECMA-262 reads without the flag `u` means something else in the languages that have more. */
const hasOtherMeaning = (source: string, pattern: AST.Pattern): boolean => {
  let found = openRepetition.test(source) || classInClass.test(source);
  visitRegExpAST(pattern, {
    onCharacterEnter({ raw, value }) {
      // An escaped letter that stands for itself, such as \A.
      found ||= /^\\[A-Za-z]$/.test(raw) && raw.charCodeAt(1) === value;
    },
  });
  return found;
};

/**
 * Says how ECMA-262 (2023) writes what a pattern of another language means; undefined where the pattern is one of ECMA-262. JSON Schema
 * asks for the flag `u` (2020-12 Core, section 6.4), with which the letter of an unknown escape is an error. A mistake such as `(` is of no language.
 */
export const foreignPattern = memoize(
  (source: string): string | undefined => {
    const parsed = parsePattern(source);
    // The platform's engine bounds the size of a pattern.
    const isOwn =
      parsed !== undefined &&
      attempt(() => new RegExp(source, parsed.flags)) !== undefined &&
      !(delimited.test(source) || namedClass.test(source)) &&
      (parsed.flags === 'u' || !hasOtherMeaning(source, parsed.pattern));
    if (isOwn) return undefined;
    const [, remedy] = remedies.find(([construct]) => construct.test(source)) ?? [];
    return remedy ?? (parsed && 'Write it as a regular expression of JavaScript.');
  },
  { max: 10_000 },
);
