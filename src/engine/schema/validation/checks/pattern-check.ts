/** `pattern`: an ECMA-262 regular expression, kept from taking polynomial or exponential time. */

import { createContext, Script } from 'node:vm';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import {
  currentFuel,
  drawFrom,
  type Fuel,
  FuelExhausted,
  ownFuel,
  spend,
} from '../../../../base/fuel';
import { lazy } from '../../../../base/memoize';
import { InvalidSchema, readText, type SchemaFields } from '../../schema-parts';
import { compilePattern, type ParsedPattern } from './pattern-program';
import type { Check } from './type-check';

/** The syntax tree of a regular expression, and the flags it needs; undefined where it is none. */
export const parsePattern = (source: string): ParsedPattern | undefined => {
  for (const flags of ['u', '']) {
    try {
      // What the oldest Node.js that runs this understands, so that all of them agree.
      const parser = new RegExpParser({ ecmaVersion: 2023 });
      const pattern = parser.parsePattern(source, 0, source.length, flags === 'u');
      return { pattern, flags };
    } catch {
      // Many documents escape characters that the u flag forbids to escape.
    }
  }
  return undefined;
};

const hasBackreference = ({ pattern }: ParsedPattern): boolean => {
  let found = false;
  visitRegExpAST(pattern, {
    onBackreferenceEnter() {
      found = true;
    },
  });
  return found;
};

/** Ways to divide a text between repetitions, at each of its characters, that need no program. */
const FEW = 16;

/** How many lengths the element may have, an open end aside; infinity where it is more than a repeated character. */
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

/** Whether the platform's own engine takes time in proportion to the text: anchored, without groups, and with one open repetition. */
const isLinear = ({ pattern: { alternatives } }: ParsedPattern): boolean => {
  const [{ elements } = { elements: [] }, ...others] = alternatives;
  const [first] = elements;
  if (others.length > 0 || first?.type !== 'Assertion' || first.kind !== 'start') return false;
  const divisions = elements.reduce((all, element) => all * countLengths(element), 1);
  return divisions <= FEW && elements.filter(isOpen).length <= 1;
};

/** Only a script of its own can be stopped while an expression is at work. */
const stoppable = lazy(() => {
  const sandbox: { expression: RegExp; text: string } = { expression: /(?:)/, text: '' };
  const script = new Script('expression.test(text)');
  return { sandbox, script, context: createContext(sandbox) };
});

const MILLISECONDS = 40;
/** To run a script costs some 80 us alone. */
const STEPS_A_MICROSECOND = 4;

/** Tests the text by the platform's own engine, for what no program can do; undefined where it is not decided in time. */
const testInTime = (expression: RegExp, text: string): boolean | undefined => {
  const { sandbox, script, context } = stoppable();
  sandbox.expression = expression;
  sandbox.text = text;
  // Of the processor, so that a busy machine refuses no more than an idle one.
  const start = process.cpuUsage();
  try {
    return script.runInContext(context, { timeout: MILLISECONDS }) === true;
  } catch {
    return undefined;
  } finally {
    sandbox.text = '';
    const { user, system } = process.cpuUsage(start);
    spend((user + system) * STEPS_A_MICROSECOND);
  }
};

const parse = (source: string): ParsedPattern & { readonly expression: RegExp } => {
  const parsed = parsePattern(source);
  try {
    if (parsed) return { ...parsed, expression: new RegExp(source, parsed.flags) };
  } catch {
    // What is too large for the platform's engine is refused, too.
  }
  throw new InvalidSchema(`The pattern "${source}" is not a regular expression.`, {
    keyword: 'pattern',
  });
};

/** Tests a text; undefined where that takes too long. Throws FuelExhausted. */
type Test = (text: string) => boolean | undefined;

const testOf = (source: string): Test => {
  const parsed = parse(source);
  const { expression } = parsed;
  if (isLinear(parsed)) return (text) => expression.test(text);
  if (hasBackreference(parsed)) return (text) => testInTime(expression, text);
  const program = lazy(() => compilePattern(parsed));
  return (text) => program()(text);
};

/** Tests a text within the fuel; undefined where that does not suffice. */
const testWithin = (fuel: Fuel, test: Test, text: string): boolean | undefined => {
  try {
    return drawFrom(fuel, () => test(text));
  } catch (error) {
    if (error instanceof FuelExhausted) return undefined;
    throw error;
  }
};

/** The check of the schema's `pattern`. It throws FuelExhausted where a text of a message is not decided. */
export const patternCheck = (schema: SchemaFields): Check | undefined => {
  const source = readText(schema, 'pattern');
  if (source === undefined) return undefined;
  const test = testOf(source);
  const accepts = (text: string): boolean => {
    const fuel = currentFuel();
    const decided = testWithin(fuel ?? ownFuel(), test, text);
    if (decided !== undefined || fuel === undefined) return decided === true;
    throw new FuelExhausted(
      `must be decided by the pattern ${source} within the ${fuel.capacity} steps that the message may take: shorten it`,
    );
  };
  return {
    message: `must match the pattern ${source}`,
    accepts: (value) => typeof value !== 'string' || accepts(value),
  };
};
