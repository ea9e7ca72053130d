/** Writes values as JSON by their own types: bigints and texts of numbers as numbers, octets as the text that they encode. */

import { NumberText } from '../decimal';
import { textOf } from '../octets';
import { isPlainObject, type PlainObject } from '../plain-object';

/** A character that JSON escapes (RFC 8259 section 7), or half of a surrogate pair. */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Writes a string; halves of surrogate pairs are escaped (well-formed JSON.stringify). */
export const writeString = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;

/** Writes a value by its own type. */
export function writeJson(value: unknown): string {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'bigint' || value instanceof NumberText) return String(value);
  if (value instanceof Uint8Array) return writeString(textOf(value));
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (isPlainObject(value)) return writeMembers(value, () => undefined, writeJson);
  return JSON.stringify(value) ?? 'null';
}

/** Writes a value as JSON in lines, for readers; bytes are shown as text, whatever they are. */
export const writeJsonLines = (value: unknown): string => {
  // A function, since toJSON comes before it: it looks at what holds the item.
  function marked(this: PlainObject, key: string): unknown {
    const item = this[key];
    if (item instanceof Uint8Array) return Buffer.from(item).toString();
    return typeof item === 'bigint' || item instanceof NumberText ? `\0${item}` : item;
  }
  const text = JSON.stringify(value, marked, 2) ?? '';
  return text.replaceAll(/"\\u0000([^"]+)"/g, '$1');
};

/** Writes a value for readers, in one line: a text is itself. */
export const lineText = (value: unknown): string =>
  typeof value === 'string' ? value : writeJson(value);

/** The writer of a declared property; `drop` leaves it out. */
export interface Member {
  readonly key: string;
  write(value: unknown): string;
  readonly drop: boolean;
}

/** Writes the members of an object, those that are undefined left out. */
export function writeMembers(
  object: PlainObject,
  memberOf: (name: string) => Member | undefined,
  writeOther: (value: unknown) => string,
): string {
  let text = '';
  for (const name of Object.keys(object)) {
    const value = object[name];
    const member = memberOf(name);
    if (value === undefined || member?.drop) continue;
    const written = member
      ? member.key + member.write(value)
      : `${writeString(name)}:${writeOther(value)}`;
    text += text === '' ? written : `,${written}`;
  }
  return `{${text}}`;
}
