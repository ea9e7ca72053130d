/**
 * Keys of values: texts that sort by their bytes as the values do, in SQLite and in PostgreSQL (collation C). The first character is
 * that of the type, so that values of one type stand together.
 */

import { hash } from 'node:crypto';
import { decimalOf } from '../../base/decimal';
import { isPlainObject } from '../../base/plain-object';

/** An index of keys: of a field that its schema says to be a number or a date-time, or of any other. */
export type SortKind = 'sort' | 'sort-number' | 'sort-date-time';

/** The key of an item without a value: behind all that have one. */
export const absentKey = '~';

/** A text longer than this is sorted by its beginning. UTF-8 takes four bytes for a character at most; PostgreSQL indexes some 2,700. */
export const longestSorted = 200;

const escapes: Readonly<Record<string, string>> = {
  // The one character that PostgreSQL does not store.
  '\u0000': '\u0001\u0001',
  '\u0001': '\u0001\u0002',
};

const escapeText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to escape.
  text.toWellFormed().replaceAll(/[\u0000\u0001]/g, (character) => escapes[character] ?? '');

const textKey = (text: string): string => {
  if (text.length <= longestSorted) return `s${escapeText(text)}`;
  // Without half of a pair at its end.
  const beginning = text.slice(0, longestSorted).replace(/[\ud800-\udbff]$/, '');
  return `s${escapeText(beginning)}${hash('sha256', text)}`;
};

/** Numbers of the same sign sort by their magnitude, then by their digits; negative ones the other way round. */
const numberKey = (text: string): string | undefined => {
  // Numbers of messages have 1,000 digits before and behind the point at most.
  const [middle, furthest] = [5000, 9999];
  const decimal = decimalOf(text);
  if (decimal === undefined) return undefined;
  const { digits, exponent } = decimal;
  if (digits === 0n) return 'n1';
  const magnitude = digits.toString().replace('-', '');
  const place = Math.min(Math.max(middle + magnitude.length + exponent, 0), furthest);
  const sorted = `${String(place).padStart(4, '0')}${magnitude}`;
  if (digits > 0n) return `n2${sorted}`;
  // More digits make a negative number less, so that the end stands behind all digits.
  return `n0${sorted.replaceAll(/\d/g, (digit) => String(9 - Number(digit)))}~`;
};

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** A date-time (RFC 3339) sorts by its instant, in whichever zone it was written. */
const instantKey = (text: string): string | undefined => {
  const [all, ...parts] = dateTime.exec(text) ?? [];
  if (all === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map(Number);
  const [fraction = '', sign = '+', hours = '0', minutes = '0'] = parts.slice(6);
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  // Seconds since long before the year 0.
  const seconds = 100_000_000_000 + date.getTime() / 1000 - offset;
  return `d${String(seconds).padStart(12, '0')}${fraction.replace(/0+$/, '')}`;
};

/** Makes the key of a value; undefined where values of its type have none, or the schema has no such value. */
export const sortKey = (value: unknown, kind: SortKind): string | undefined => {
  if (typeof value === 'boolean') return kind === 'sort' ? `b${Number(value)}` : undefined;
  if (typeof value === 'number' || typeof value === 'bigint') {
    return kind === 'sort-date-time' ? undefined : numberKey(String(value));
  }
  if (typeof value !== 'string') return undefined;
  if (kind === 'sort-number') return numberKey(value);
  return kind === 'sort-date-time' ? instantKey(value) : textKey(value);
};

/** Makes the key of an item by the value at a path, through objects; what does not fit its schema sorts as it comes. */
export const itemKey = (item: unknown, path: string, kind: SortKind): string => {
  let value = item;
  for (const name of path.split('.')) value = isPlainObject(value) ? value[name] : undefined;
  return sortKey(value, kind) ?? sortKey(value, 'sort') ?? absentKey;
};

/** Gives the least key that any value behind a value can have: those of texts that begin with it are not less. */
export const keyBehind = (key: string): string => `${key}\u0001`;

/** Gives the least text behind all that begin with a prefix, which begins with the character of a type. */
export const prefixEnd = (prefix: string): string => {
  const points = [...prefix];
  const greatest = 0x10ffff;
  const at = points.findLastIndex((character) => character.codePointAt(0) !== greatest);
  const code = points[at]?.codePointAt(0) ?? 0;
  // There are no characters between these.
  const next = code === 0xd7ff ? 0xe000 : code + 1;
  return `${points.slice(0, at).join('')}${String.fromCodePoint(next)}`;
};
