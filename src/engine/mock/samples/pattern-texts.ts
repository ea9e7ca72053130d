/** Texts that a regular expression of ECMA-262 may match, made from its syntax tree. */

import type { AST } from '@eslint-community/regexpp';
import { memoizePairs } from '../../../base/memoize';
import { parsePattern } from '../../schema/validation/checks/pattern-check';
import type { CountLimits } from './sample-numbers';

/** Makes the text with this index, to fit the limits as far as its format allows. */
export type MakeText = (index: number, limits: CountLimits) => string;

/** Longer texts are not made, however often a pattern repeats itself. */
const LONGEST = 10_000;

/** Characters to prefer: readable ones, and a mixture for patterns that look ahead for one of each kind. */
const alphabets: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. !"#$%&\'()*+,/:;<=>?@[\\]^`{|}~',
  'aA0!bB1@cC2#dD3$eE4%fF5^gG6&hH7*iI8-jJ9_kK.lLmMnNoOpPqQrRsStTuUvVwWxXyYzZ "\'()+,/:;<=>?[\\]`{|}~',
];
/** Characters to try after those: letters of other alphabets, and control characters. */
const rarities = 'éñßøαωжя中日あア한אع\t\n\r\u0001';

interface Making {
  readonly alphabet: string;
  /** The choice to take first. */
  readonly turn: number;
  /** The number of repetitions beyond the required ones. */
  readonly extra: number;
  readonly groups: Map<AST.CapturingGroup, string>;
  readonly charactersOf: (raw: string, alphabet: string) => string[];
  length: number;
}

/** Finds the characters of an alphabet that a class, a set or an escape matches. */
const matchingCharacters = (flags: string): Making['charactersOf'] =>
  memoizePairs((raw, alphabet) => {
    const expression = new RegExp(`^(?:${raw})$`, flags);
    return [...alphabet, ...rarities].filter((character) => expression.test(character));
  });

const alternativeText = (alternatives: readonly AST.Alternative[], making: Making): string => {
  const chosen = alternatives[making.turn % alternatives.length];
  return (chosen?.elements ?? []).map((element) => elementText(element, making)).join('');
};

/** Returns the lowest code point that a class names, for a class outside of all alphabets. */
const lowestOf = (element: AST.Element): string => {
  const [first] = element.type === 'CharacterClass' ? element.elements : [];
  if (first?.type === 'Character') return String.fromCodePoint(first.value);
  return first?.type === 'CharacterClassRange' ? String.fromCodePoint(first.min.value) : '';
};

const characterText = (element: AST.Element, making: Making): string => {
  const matching = making.charactersOf(element.raw, making.alphabet);
  const { length, turn } = making;
  // Each turn gives another text, also where every place has the same few characters.
  const choice = length + turn + (turn >> ((length % 8) + 1));
  return matching[choice % matching.length] ?? lowestOf(element);
};

const repeatedText = (quantifier: AST.Quantifier, making: Making): string => {
  const { min, max, element } = quantifier;
  const count = Math.min(max, min + making.extra, LONGEST);
  let text = '';
  for (let index = 0; index < count && making.length <= LONGEST; index += 1) {
    text += elementText(element, making);
  }
  return text;
};

const leafText = (element: AST.Element, making: Making): string => {
  const text =
    element.type === 'Character'
      ? String.fromCodePoint(element.value)
      : characterText(element, making);
  making.length += text.length;
  return text;
};

function elementText(element: AST.Element, making: Making): string {
  switch (element.type) {
    case 'Assertion':
      // Its condition is not made but hoped for: every text is checked in the end.
      return '';
    case 'Quantifier':
      return repeatedText(element, making);
    case 'Group':
      return alternativeText(element.alternatives, making);
    case 'CapturingGroup': {
      const text = alternativeText(element.alternatives, making);
      making.groups.set(element, text);
      return text;
    }
    case 'Backreference': {
      const [group] = [element.resolved].flat();
      return (group && making.groups.get(group)) ?? '';
    }
    default:
      return leafText(element, making);
  }
}

/** Lists numbers of repetitions: few at first, then those that bring the text to its limits. */
const extrasOf = ({ least, most }: CountLimits): number[] => {
  const near = Array.from({ length: 24 }, (_, index) => index);
  const far = near.map((index) => least - index).filter((extra) => extra > near.length);
  return [3, ...near, ...far, ...(most < LONGEST ? [most] : [])];
};

/** Makes texts for a pattern; undefined where it is not a regular expression. */
export const patternTexts = (source: string): MakeText | undefined => {
  const parsed = parsePattern(source);
  if (parsed === undefined) return undefined;
  const { pattern, flags } = parsed;
  const charactersOf = matchingCharacters(flags);
  return (index, limits) => {
    const extras = extrasOf(limits);
    const round = Math.floor(index / extras.length);
    const text = alternativeText(pattern.alternatives, {
      alphabet: alphabets[round % alphabets.length] ?? '',
      turn: index,
      extra: extras[index % extras.length] ?? 0,
      groups: new Map(),
      charactersOf,
      length: 0,
    });
    // An open pattern allows anything behind what it matches.
    return text.padEnd(Math.min(limits.least, LONGEST), 'a');
  };
};
