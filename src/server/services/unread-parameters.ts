/** Finds parameters that no code of a handler reads. It looks at the text of the function, and says nothing where that leaves it open. */

import type { Operation, UntypedHandler } from '../../engine';

type Parameter = Operation['parameters'][number];

const escaped = (name: string): string => name.replaceAll(/[^\w]/g, '\\$&');

const isWord = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`).test(text);

/** What stands between the brace and the one that closes it. */
const insideBraces = (text: string, start: number): string => {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return text.slice(start + 1, at);
  }
  return text.slice(start + 1);
};

/** A function whose parameters are in parentheses, from the first of these: `async getPet(`, `function (`, `(`. */
const head = /^(?:async\b\s*)?(?:function\b)?[\w$*\s]*\(\s*/;

/**
 * The names that a function takes of its request, as they are written: `path, query: { limit }`. Undefined where it takes the request as a whole.
 */
const takenOf = (text: string): string | undefined => {
  const [begin] = head.exec(text) ?? [];
  if (begin === undefined || isWord('arguments', text)) return undefined;
  if (text[begin.length] === ')') return '';
  if (text[begin.length] !== '{') return undefined;
  const taken = insideBraces(text, begin.length);
  return taken.includes('...') ? undefined : taken;
};

/** Tells whether the group, `query`, stands anywhere but before one of its names, so that all of it may be read. */
const isPassedOn = (group: string, text: string, taken: string): boolean => {
  const body = text.slice(text.indexOf(taken) + taken.length);
  return new RegExp(`(?<![\\w$'"]|[^.]\\.)${group}(?!\\s*\\??\\.\\s*[\\w$]|[\\w$'"])`).test(body);
};

/** Gives the parameters of an operation that its handler does not read. */
export const unreadParameters = (
  { parameters }: Pick<Operation, 'parameters'>,
  handler: UntypedHandler,
): readonly Parameter[] => {
  const text = Function.prototype.toString.call(handler);
  const taken = takenOf(text);
  if (taken === undefined || text.includes('[native code]')) return [];
  return parameters.filter((parameter) => {
    if (!isWord(parameter.in, taken)) return true;
    return !isWord(parameter.name, text) && !isPassedOn(parameter.in, text, taken);
  });
};
