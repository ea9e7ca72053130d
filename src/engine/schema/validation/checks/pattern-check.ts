/** `pattern`: an ECMA-262 regular expression, kept from taking quadratic time over long text. */

import { InvalidSchema, readText, type SchemaFields } from '../../schema-fields';
import type { Check } from './check';
import { mayExplode, testInTime } from './exponential-pattern';

/** UTF-16 units that a pattern is tried on where it may backtrack: quadratic patterns stay below a second by this. */
const LONGEST_BACKTRACKED = 10_000;

const compile = (source: string): RegExp => {
  try {
    return new RegExp(source, 'u');
  } catch {
    // Many documents escape characters that the u flag forbids to escape, such as \- or \_.
  }
  try {
    return new RegExp(source);
  } catch (cause) {
    throw new InvalidSchema(`The pattern "${source}" is not a regular expression.`, { cause });
  }
};

/** Anchored, without groups or choices, and at most one open-ended repetition: time in proportion to the text. */
const isLinear = (source: string): boolean => {
  const flat = source.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  const repetitions = flat.match(/[*+]|\{\d+,\}/g) ?? [];
  return flat.startsWith('^') && !/[(|]/.test(flat) && repetitions.length <= 1;
};

/** The check of the schema's `pattern`. */
export const patternCheck = (schema: SchemaFields): Check | undefined => {
  const source = readText(schema, 'pattern');
  if (source === undefined) return undefined;
  const expression = compile(source);
  const message = `must match the pattern ${source}`;
  if (isLinear(source)) {
    return { message, accepts: (value) => typeof value !== 'string' || expression.test(value) };
  }
  const test = mayExplode(source)
    ? (text: string) => testInTime(expression, text)
    : (text: string) => expression.test(text);
  return {
    message: `${message} and be at most ${LONGEST_BACKTRACKED} characters long`,
    accepts: (value) =>
      typeof value !== 'string' || (value.length <= LONGEST_BACKTRACKED && test(value)),
  };
};
