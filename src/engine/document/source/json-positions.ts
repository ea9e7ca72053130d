/** Finds where values stand in a JSON text, looking only into the maps and lists on the way to what is asked for. */

import { pointerSteps } from '../../lang/json-pointer';
import { linePositions, type SourceText } from './source-text';

/** Offsets of a member's key (of the value itself in a list) and of its value. */
interface Member {
  readonly key: number;
  readonly value: number;
}

type Members = ReadonlyMap<string, Member>;

const blanks = /[ \t\n\r]*/y;
/** Whatever stands between brackets, commas and strings. */
const plain = /[^"{}[\],:]*/y;

const behind = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

const isEscaped = (text: string, at: number): boolean => {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
};

const behindString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
};

const depthChange: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The offset behind the value that begins at `start`. */
const behindValue = (text: string, start: number): number => {
  let depth = 0;
  let at = start;
  do {
    const sign = text[at] ?? '';
    depth += depthChange[sign] ?? 0;
    at = sign === '"' ? behindString(text, at) : Math.max(behind(plain, text, at), at + 1);
  } while (depth > 0 && at < text.length);
  return at;
};

const addMember = (text: string, start: number, isMap: boolean, members: Map<string, Member>) => {
  const afterKey = isMap ? behindString(text, start) : start;
  const step = isMap ? String(JSON.parse(text.slice(start, afterKey))) : String(members.size);
  const value = isMap ? behind(blanks, text, behind(blanks, text, afterKey) + 1) : start;
  members.set(step, { key: start, value });
  return behindValue(text, value);
};

/** The members of the map or list that begins at `start`, by key or index. */
const membersAt = (text: string, start: number): Members => {
  const members = new Map<string, Member>();
  const isMap = text[start] === '{';
  if (!isMap && text[start] !== '[') return members;
  let at = behind(blanks, text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    at = behind(blanks, text, addMember(text, at, isMap, members));
    if (text[at] === ',') at = behind(blanks, text, at + 1);
  }
  return members;
};

/**
 * Makes the finder of places.
 * @param text known to be JSON
 */
export const jsonPositions = (text: string): SourceText['locate'] => {
  const placeOf = linePositions(text);
  const known = new Map<number, Members>();
  const membersOf = (start: number): Members => {
    const members = known.get(start) ?? membersAt(text, start);
    known.set(start, members);
    return members;
  };
  return (pointer, ofKey = false) => {
    const start = behind(blanks, text, 0);
    let found: Member = { key: start, value: start };
    for (const step of pointerSteps(pointer)) {
      const next = membersOf(found.value).get(step);
      if (next === undefined) return placeOf(found.value);
      found = next;
    }
    return placeOf(ofKey ? found.key : found.value);
  };
};
