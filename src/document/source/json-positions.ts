/** Finds where values stand in a JSON text, by looking only into the objects and lists that lead to them. */

import { pointerSteps } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { textPositions } from '../../base/text/text-position';
import type { SourceText } from './source-text';

/** The offsets where a member's key (of an item: the item itself) and its value begin. */
interface Member {
  readonly key: number;
  readonly value: number;
}

const skip = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
};

const BLANKS = /[ \t\n\r]*/y;
const WORD = /[^ \t\n\r,\]}]*/y;

/** Returns the offset behind the text in quotes that begins here. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

/** Returns the offset behind the object or list that begins here. */
const endOfBrackets = (text: string, start: number): number => {
  let at = start;
  let open = 0;
  do {
    const sign = text[at];
    if (sign === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (sign === '{' || sign === '[') open += 1;
    else if (sign === '}' || sign === ']') open -= 1;
    at += 1;
  } while (open > 0);
  return at;
};

const endOfValue = (text: string, start: number): number => {
  const sign = text[start];
  if (sign === '"') return endOfString(text, start);
  return sign === '{' || sign === '[' ? endOfBrackets(text, start) : skip(WORD, text, start);
};

/** Finds the members of the object, or the items of the list, that begins at the offset. */
const membersAt = (text: string, start: number): ReadonlyMap<string, Member> => {
  const members = new Map<string, Member>();
  const isObject = text[start] === '{';
  if (!isObject && text[start] !== '[') return members;
  let at = skip(BLANKS, text, start + 1);
  while (text[at] !== '}' && text[at] !== ']') {
    const key = at;
    let name = String(members.size);
    if (isObject) {
      const end = endOfString(text, at);
      name = String(JSON.parse(text.slice(at, end)));
      // Behind the colon.
      at = skip(BLANKS, text, skip(BLANKS, text, end) + 1);
    }
    members.set(name, { key, value: at });
    at = skip(BLANKS, text, endOfValue(text, at));
    if (text[at] === ',') at = skip(BLANKS, text, at + 1);
  }
  return members;
};

/**
 * Makes the finder of positions. Nothing is kept but the offsets beside those that were asked for: those of a whole large
 * document would take fifty times its size.
 * @param text known to be JSON
 */
export const jsonPositions = (text: string): SourceText['locate'] => {
  const positionOf = textPositions(text);
  const membersOf = memoize((start: number) => membersAt(text, start), {
    max: Number.POSITIVE_INFINITY,
  });
  return (pointer, ofKey = false) => {
    const root = skip(BLANKS, text, 0);
    let found: Member = { key: root, value: root };
    let isExact = true;
    for (const step of pointerSteps(pointer)) {
      const next = membersOf(found.value).get(step);
      isExact = next !== undefined;
      if (next === undefined) break;
      found = next;
    }
    return positionOf(ofKey && isExact ? found.key : found.value);
  };
};
