/**
 * `pattern`: an ECMA-262 regular expression, kept from taking polynomial or exponential time. Simple ones run on the
 * platform's own engine, others on RE2; a pattern that RE2 cannot express is stopped after a while.
 */

import { createContext, Script } from 'node:vm';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { currentFuel, drawFrom, FuelExhausted, ownFuel, spend } from '../../../base/fuel';
import { lazy, memoize } from '../../../base/memoize';
import { attempt, recover } from '../../../base/recover';
import { InvalidSchema } from '../../../model/schema';
import { compileRe2, isStart } from './re2-pattern';
import type { Check } from './type-check';

/** The syntax tree of a pattern, and the flags that it is read with: `u`, or none. */
export interface ParsedPattern {
  readonly pattern: AST.Pattern;
  readonly flags: string;
}

/** Parses a regular expression; undefined where the text is not one. */
export const parsePattern = (source: string): ParsedPattern | undefined => {
  for (const flags of ['u', '']) {
    try {
      // The syntax of the oldest Node.js that runs this, so that all of them agree.
      const parser = new RegExpParser({ ecmaVersion: 2023 });
      const pattern = parser.parsePattern(source, 0, source.length, flags === 'u');
      return { pattern, flags };
    } catch {
      // Many documents escape characters that the u flag forbids to escape.
    }
  }
  return undefined;
};

/** Ways to divide a text between repetitions, at each of its characters, that take no noticeable time. */
const FEW = 16;

/** Counts the lengths that the element may have, an open end aside; infinity where it is more than a repeated character. */
const countLengths = (element: AST.Element): number => {
  switch (element.type) {
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return 1;
    case 'Assertion':
      return element.kind === 'start' || element.kind === 'end' ? 1 : Number.POSITIVE_INFINITY;
    case 'Quantifier':
      return countLengths(element.element) * (isOpen(element) ? 1 : element.max - element.min + 1);
    default:
      return Number.POSITIVE_INFINITY;
  }
};

const isOpen = (element: AST.Element): boolean =>
  element.type === 'Quantifier' && element.max === Number.POSITIVE_INFINITY;

/**
 * Tells whether the platform's own engine takes time in proportion to the text: the pattern is anchored, has no groups, and
 * there are few ways to divide a text between its repetitions.
 */
const isLinear = ({ pattern: { alternatives } }: ParsedPattern): boolean => {
  const [{ elements } = { elements: [] }, ...others] = alternatives;
  if (others.length > 0 || !isStart(elements[0])) return false;
  const lengths = elements.map(countLengths);
  if (lengths.includes(Number.POSITIVE_INFINITY)) return false;
  const isRepeated = (element: AST.Element, index: number) =>
    isOpen(element) || lengths[index] !== 1;
  if (elements.filter(isRepeated).length <= 1) return true;
  const divisions = lengths.reduce((all, count) => all * count, 1);
  return divisions <= FEW && elements.filter(isOpen).length <= 1;
};

/** Only a script of its own can be stopped while an expression is at work. */
const stoppable = lazy(() => {
  const sandbox: { expression: RegExp; text: string } = { expression: /(?:)/, text: '' };
  const script = new Script('expression.test(text)');
  return { sandbox, script, context: createContext(sandbox) };
});

const MICROSECONDS = 40_000;
/** To run a script costs some 80 us alone. */
const STEPS_A_MICROSECOND = 4;

/** Tests the text by the platform's own engine, for patterns that RE2 cannot express; undefined where it is not decided in time. */
const testInTime = (expression: RegExp, text: string): boolean | undefined => {
  const { sandbox, script, context } = stoppable();
  sandbox.expression = expression;
  sandbox.text = text;
  const start = process.cpuUsage();
  const used = (): number => {
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  try {
    // The time of the processor counts, so that a busy machine refuses no more than an idle one.
    do {
      try {
        return script.runInContext(context, { timeout: MICROSECONDS / 1000 }) === true;
      } catch {
        // It was stopped.
      }
    } while (used() < MICROSECONDS);
    return undefined;
  } finally {
    sandbox.text = '';
    spend(used() * STEPS_A_MICROSECOND);
  }
};

/** Tests a text; undefined where that takes too long. Throws FuelExhausted. */
type Test = (text: string) => boolean | undefined;

/** Characters times instructions of RE2 in the time of one step. */
const RE2_A_STEP = 32;

const testOf = (source: string, keyword: string): Test => {
  const parsed = parsePattern(source);
  // A pattern that is too large for the platform's engine is refused, too.
  const expression = parsed && attempt(() => new RegExp(source, parsed.flags));
  if (parsed === undefined || expression === undefined) {
    throw new InvalidSchema(`The pattern "${source}" is not a regular expression.`, keyword);
  }
  const { pattern, flags } = parsed;
  if (isLinear(parsed)) return (text) => expression.test(text);
  const compiled = lazy(() => compileRe2(pattern));
  return (text) => {
    const re2 = compiled();
    // Without the flag, ECMA-262 takes the halves of a pair for two characters.
    if (re2 === undefined || (flags !== 'u' && /[\ud800-\udfff]/.test(text))) {
      return testInTime(expression, text);
    }
    spend(Math.ceil((text.length * re2.size) / RE2_A_STEP));
    return re2.test(text);
  };
};

/** Tells whether a pattern takes time in proportion to every text; other patterns are stopped when they take too long. */
export const isBounded = (source: string): boolean => {
  const parsed = parsePattern(source);
  return parsed === undefined || isLinear(parsed) || compileRe2(parsed.pattern) !== undefined;
};

/**
 * Makes the test of texts by a pattern, which throws FuelExhausted where a text of a message is not decided.
 * @param keyword the one that has the pattern. Throws InvalidSchema where that is no regular expression
 */
export const patternTest = (source: string, keyword = 'pattern'): ((text: string) => boolean) => {
  const test = testOf(source, keyword);
  return (text) => {
    const fuel = currentFuel();
    const run = () => drawFrom(fuel ?? ownFuel(), () => test(text));
    const decided = recover(run, FuelExhausted, () => undefined);
    if (decided !== undefined || fuel === undefined) return decided === true;
    throw new FuelExhausted(
      `must be decided by the pattern ${source} within the ${fuel.capacity} steps that the message may take: shorten it`,
    );
  };
};

/** Gives the test of names and texts by a pattern; one that is no regular expression, which a diagnostic reports, matches nothing. */
export const matches = memoize(
  (pattern: string): ((text: string) => boolean) =>
    recover(
      () => patternTest(pattern),
      InvalidSchema,
      () => () => false,
    ),
  { max: 1000 },
);

/** Makes the check of a schema's `pattern`. */
export const patternCheck = (source: string | undefined): Check | undefined => {
  if (source === undefined) return undefined;
  const accepts = patternTest(source);
  return {
    message: `must match the pattern ${source}`,
    accepts: (value) => typeof value !== 'string' || accepts(value),
  };
};
