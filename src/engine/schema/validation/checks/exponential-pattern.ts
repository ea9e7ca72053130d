/** Finds patterns that may take exponential time, and tests them within a bound of time. */

import { createContext, Script } from 'node:vm';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** Repetitions of a part that itself may match in several ways multiply; fewer stay harmless. */
const MANY = 10;
/** Shorter texts are decided soon, however a pattern repeats itself. */
const SHORT = 20;
/** What one text may take. */
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
