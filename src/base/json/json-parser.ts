/** A strict JSON parser (RFC 8259) that keeps numbers exact and refuses texts that JSON.parse lets through. */

import type { ExactNumber } from '../exact-number';
import { pointerTo } from '../json-pointer';
import { MalformedText } from '../malformed-text';
import { type PlainObject, setOwn } from '../plain-object';
import { findForbiddenCharacter, type ReadLimits, readLimits, tooManyNames } from '../read-limits';
import { attempt } from '../recover';
import { describePosition } from '../text/text-position';

const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

interface Cursor {
  readonly text: string;
  at: number;
  nodes: number;
  /** Names and indexes that lead to the value being read. */
  readonly path: (string | number)[];
}

/**
 * Parses JSON, its numbers as those of messages; repeated keys, numbers of too many digits, U+0000, lone
 * surrogates and texts beyond the limits throw MalformedText with the place.
 */
export const parseJsonStrictly = (text: string, limits: ReadLimits = readLimits): unknown => {
  const cursor: Cursor = { text, at: 0, nodes: 0, path: [] };

  function readValue(): unknown {
    cursor.nodes += 1;
    if (cursor.nodes > limits.nodes) throw malformed(cursor, 'too many values');
    skipBlanks(cursor);
    const sign = text[cursor.at];
    if (sign === '"') return readString(cursor);
    if (sign !== '{' && sign !== '[') return readNumberOrWord(cursor, limits);
    if (cursor.path.length >= limits.depth) throw malformed(cursor, 'nested too deeply');
    return sign === '{' ? readObject() : readArray();
  }

  function readObject(): PlainObject {
    const object: PlainObject = {};
    let names = 0;
    readList(cursor, '}', () => {
      const start = cursor.at;
      skipBlanks(cursor);
      if (text[cursor.at] !== '"') throw malformed(cursor, 'a key in double quotes expected');
      const name = readString(cursor);
      if (!takeSign(cursor, ':')) throw malformed(cursor, '":" expected');
      if (Object.hasOwn(object, name)) throw malformed(cursor, 'a key is given twice', start);
      names += 1;
      if (names > limits.names) throw malformed(cursor, tooManyNames(limits), start);
      cursor.path.push(name);
      setOwn(object, name, readValue());
      cursor.path.pop();
    });
    return object;
  }

  function readArray(): unknown[] {
    const array: unknown[] = [];
    readList(cursor, ']', () => {
      cursor.path.push(array.length);
      array.push(readValue());
      cursor.path.pop();
    });
    return array;
  }

  const value = readValue();
  skipBlanks(cursor);
  if (cursor.at < text.length) throw malformed(cursor, 'text after the value');
  return value;
};

/** Reads from the opening bracket to the closing one, an entry between each two commas. */
function readList(cursor: Cursor, close: string, readEntry: () => void): void {
  cursor.at += 1;
  if (takeSign(cursor, close)) return;
  do readEntry();
  while (takeSign(cursor, ','));
  if (!takeSign(cursor, close)) throw malformed(cursor, `"," or "${close}" expected`);
}

function takeSign(cursor: Cursor, sign: string): boolean {
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== sign) return false;
  cursor.at += 1;
  return true;
}

function readString(cursor: Cursor): string {
  const { text, at } = cursor;
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) throw malformed(cursor, 'a string without an end');
  const string: string | undefined = attempt(() => JSON.parse(text.slice(at, end + 1)));
  if (string === undefined) {
    throw malformed(cursor, 'a string with a wrong escape or a control character');
  }
  const forbidden = findForbiddenCharacter(string);
  if (forbidden !== undefined) throw malformed(cursor, forbidden);
  cursor.at = end + 1;
  return string;
}

function readNumberOrWord(cursor: Cursor, { numberOf }: ReadLimits): ExactNumber | boolean | null {
  const word = takePattern(cursor, WORD);
  if (word !== undefined) return word === 'null' ? null : word === 'true';
  const digits = takePattern(cursor, NUMBER);
  if (digits === undefined) throw malformed(cursor, 'a value expected');
  const number = numberOf(digits);
  if (number === undefined) throw malformed(cursor, 'a number out of range');
  return number;
}

function takePattern(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at = pattern.lastIndex;
  return found;
}

function skipBlanks(cursor: Cursor): void {
  BLANKS.lastIndex = cursor.at;
  BLANKS.test(cursor.text);
  cursor.at = BLANKS.lastIndex;
}

function malformed({ text, at, path }: Cursor, reason: string, offset = at): MalformedText {
  return new MalformedText(
    `The JSON text is malformed at ${describePosition(text, offset)}: ${reason}`,
    path.reduce(pointerTo, ''),
  );
}
