/**
 * The rule of values between handlers and tables of their own, the same on both databases: integers that no number holds are bigints,
 * times are texts as JSON has them (RFC 3339, UTC), JSON is the value that it means, bytes are Uint8Array.
 */

import { types } from 'node:util';
import { exactNumber } from '../../base/exact-number';
import { parseJsonStrictly } from '../../base/json/json-parser';
import { writeJson } from '../../base/json/write-json';
import { attempt } from '../../base/recover';

/** A value as drivers take it; bigints are within 64 bits. */
export type BoundValue = string | number | bigint | boolean | null | Uint8Array;

const dateTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::\d\d)?)?$/i;

/** Writes a time in UTC, as RFC 3339 has it; a text that is no time as it is. One without an offset is of UTC. */
const inUtc = (text: string, writeFraction: (digits: string) => string): string => {
  const [, date, time, fraction = '', offset = 'Z'] = dateTime.exec(text) ?? [];
  if (date === undefined) return text;
  const digits = fraction.replace(/\.?0*$/, '');
  const end = `${digits && writeFraction(digits)}Z`;
  // To make a Date takes three times as long as all else.
  if (/^(?:z|\+00(?::00)?)$/i.test(offset)) return `${date}T${time}${end}`;
  const minutes = offset.length === 3 ? `${offset}:00` : offset;
  const at = new Date(`${date}T${time}${minutes}`);
  return Number.isNaN(at.getTime()) ? text : `${at.toISOString().slice(0, 19)}${end}`;
};

/** Writes a time of a column: thousandths or millionths of its second, where it is no whole one. */
export const timeText = (text: string): string =>
  inUtc(text, (digits) => digits.padEnd(digits.length <= 4 ? 4 : 7, '0'));

const longestTime = '2026-11-28T10:00:00.123456789+01:00'.length;

/**
 * Makes the value that is bound for one of a handler. A time is written in UTC, in one way, so that texts of equal times are equal.
 * @throws TypeError for a number that is none
 */
export const boundValue = (value: unknown): BoundValue => {
  if (typeof value === 'string') {
    const mayBeTime = value.length >= 20 && value.length <= longestTime && value[10] === 'T';
    return mayBeTime ? inUtc(value, (digits) => digits) : value;
  }
  if (value === undefined || value === null) return null;
  if (types.isDate(value)) return boundValue(value.toISOString());
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`${value} is no number that a column holds`);
  }
  if (typeof value !== 'object') return value as BoundValue;
  return types.isUint8Array(value) ? value : writeJson(value);
};

/** Reads an integer of any length. */
export const readInteger = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
};

/** Reads a decimal as a number where that has all its digits, else as an integer, or as its text. */
export const readNumeric = (text: string): unknown => {
  if (/^-?\d+$/.test(text)) return readInteger(text);
  const number = exactNumber(text);
  return typeof number === 'number' ? number : text;
};

/** Reads JSON, with every digit of its integers. */
export const readJson = (text: string): unknown =>
  (/\d{16}/.test(text) ? attempt(() => parseJsonStrictly(text)) : undefined) ?? JSON.parse(text);

/** Gives bytes without the class of the driver. */
export const plainBytes = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length);
