/** `pattern`: an ECMA-262 regular expression, kept from taking quadratic or exponential time over long text. */

import { createContext, Script } from 'node:vm';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { InvalidSchema, readText, type SchemaFields } from '../../schema-parts';
import type { Check } from './type-check';

/** Repetitions of a part that itself may match in several ways multiply; fewer stay harmless. */
const MANY = 10;
/** Shorter texts are decided soon, however a pattern repeats itself. */
const SHORT = 20;
const MILLISECONDS = 100;

/** The syntax tree of a regular expression, and the flags it needs; undefined where it is none. */
export const parsePattern = (
  source: string,
): { readonly pattern: AST.Pattern; readonly flags: string } | undefined => {
  for (const flags of ['u', '']) {
    try {
      const pattern = new RegExpParser().parsePattern(source, 0, source.length, flags === 'u');
      return { pattern, flags };
    } catch {
      // Many documents escape characters that the u flag forbids to escape.
    }
  }
  return undefined;
};

/** Whether the part repeats itself variably, or has a choice. */
const isAmbiguous = (part: AST.Element): boolean => {
  let found = false;
  const choose = ({ alternatives }: AST.Group | AST.CapturingGroup): void => {
    found ||= alternatives.length > 1;
  };
  visitRegExpAST(part, {
    onQuantifierEnter: ({ min, max }) => {
      found ||= min !== max;
    },
    onGroupEnter: choose,
    onCapturingGroupEnter: choose,
  });
  return found;
};

/** Whether the pattern repeats, often, what may match in several ways: `(a+)+`, `(a|a)*`. May be too careful. */
export const mayExplode = (source: string): boolean => {
  const parsed = parsePattern(source);
  let found = false;
  if (parsed !== undefined) {
    visitRegExpAST(parsed.pattern, {
      onQuantifierEnter: ({ max, element }) => {
        found ||= max >= MANY && isAmbiguous(element);
      },
    });
  }
  return found;
};

const sandbox: { expression: RegExp; text: string } = { expression: /(?:)/, text: '' };
// Only a script of its own can be stopped while an expression is at work.
const script = new Script('expression.test(text)');
const context = createContext(sandbox);

/** Tests the text; one that is not decided in time does not match. Costs some 80 us, which short texts are spared. */
export const testInTime = (expression: RegExp, text: string): boolean => {
  if (text.length <= SHORT) return expression.test(text);
  sandbox.expression = expression;
  sandbox.text = text;
  try {
    return script.runInContext(context, { timeout: MILLISECONDS }) === true;
  } catch {
    return false;
  } finally {
    sandbox.text = '';
  }
};

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
