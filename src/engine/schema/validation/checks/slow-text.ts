/** Looks for a text that a pattern is slow to decide, where one way through it is tried after the other, as most engines do. */

import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { drawFrom, FuelExhausted, makeFuel } from '../../../../base/fuel';
import { parsePattern } from './pattern-check';
import { compilePattern } from './pattern-program';
import { acceptedCodes } from './pattern-states';

/** Characters of a text that is tried. */
const LENGTH = 50;
/** Above those of a quadratic pattern, below those of a cubic one. */
const STEPS = 20_000;
/** Fewer repetitions stay harmless. */
const MANY = 10;
/** What may follow a repetition so that the whole does not match. */
const ENDS = ['!', '\n', '~~'];

const LIKELY = [...'a0 -/.A_:,\n'].map((character) => character.charCodeAt(0));

/** A character that the element accepts; the empty text where none is found soon. */
const characterOf = (element: AST.CharacterClass | AST.CharacterSet, flags: string): string => {
  const accepts = acceptedCodes(element, flags);
  const code = [...LIKELY, ...Array.from({ length: 0x250 }, (_, index) => index)].find(accepts);
  return code === undefined ? '' : String.fromCodePoint(code);
};

/** A text that the element matches, where that is easily found; repetitions run `least` times, or as often as they must. */
const textOf = (element: AST.Element, flags: string, least: number): string => {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterClass':
    case 'CharacterSet':
      return characterOf(element, flags);
    case 'Group':
    case 'CapturingGroup':
      return sequenceText(element.alternatives[0], flags, least);
    case 'Quantifier': {
      const times = Math.min(Math.max(element.min, least), element.max, LENGTH);
      return textOf(element.element, flags, least).repeat(times);
    }
    default:
      return '';
  }
};

const sequenceText = (
  alternative: AST.Alternative | undefined,
  flags: string,
  least: number,
): string => (alternative?.elements ?? []).map((element) => textOf(element, flags, least)).join('');

/** What stands before the element, as far out as the pattern goes. */
const textBefore = (element: AST.Element, flags: string): string => {
  const { parent } = element;
  if (parent.type !== 'Alternative') {
    return parent.type === 'Quantifier' ? textBefore(parent, flags) : '';
  }
  const before = parent.elements.slice(0, parent.elements.indexOf(element));
  const around = parent.parent.type === 'Pattern' ? '' : textBefore(parent.parent, flags);
  return around + before.map((one) => textOf(one, flags, 0)).join('');
};

/** What a repetition may repeat: each of its alternatives, and each that lies in it. */
const repeatedTexts = ({ element }: AST.Quantifier, flags: string): readonly string[] => {
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') {
    return [textOf(element, flags, 1)];
  }
  return element.alternatives.map((alternative) => sequenceText(alternative, flags, 1));
};

/** Texts that run a repetition often and then do not match. */
const suspects = (quantifier: AST.Quantifier, flags: string): string[] => {
  const start = textBefore(quantifier, flags);
  return repeatedTexts(quantifier, flags)
    .filter((repeated) => repeated !== '' && repeated.length < LENGTH)
    .flatMap((repeated) => {
      const times = Math.floor(LENGTH / repeated.length);
      return ENDS.map((end) => start + repeated.repeat(times) + end);
    });
};

/** A short text for which the pattern takes very many steps; undefined where none was found. */
export const findSlowText = (source: string): string | undefined => {
  const parsed = parsePattern(source);
  if (parsed === undefined) return undefined;
  const texts = new Set<string>();
  let isKnown = true;
  visitRegExpAST(parsed.pattern, {
    onQuantifierEnter(quantifier) {
      if (quantifier.max < MANY) return;
      for (const text of suspects(quantifier, parsed.flags)) texts.add(text);
    },
    onBackreferenceEnter() {
      isKnown = false;
    },
  });
  if (!isKnown || texts.size === 0) return undefined;
  const test = compilePattern(parsed, false);
  return [...texts].find((text) => {
    try {
      drawFrom(makeFuel(STEPS), () => test(text));
      return false;
    } catch (error) {
      if (error instanceof FuelExhausted) return true;
      throw error;
    }
  });
};
