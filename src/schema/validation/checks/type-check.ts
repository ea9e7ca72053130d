/** `type` and the numeric formats over typed values: int64 is bigint, binary is Uint8Array. */

import { exactValue, isNumeric, isWhole, messageNumber } from '../../../base/exact-number';
import { isPlainObject } from '../../../base/plain-object';
import { cutText } from '../../../base/text/printable';
import type { JsonType, Schema } from '../../../model/schema';
import { type IntegerRange, integerRangeOf, safeIntegers } from './integer-ranges';

/** A rule about a single value. Values of another kind than the rule speaks of are accepted, as in JSON Schema. */
export interface Check {
  /** The requirement, as a fragment beginning with "must"; holds nothing of any value. */
  readonly message: string;
  /** Returns the requirement where it depends on the given value. */
  messageFor?(value: unknown): string;
  /** Describes the given value; left out where the message says it all. */
  given?(value: unknown): string;
  /**
   * Set where a value that fails was probably meant for another alternative: it is of another type, or it lacks the one
   * value that an enum names (a tag).
   */
  readonly discriminates?: 'type' | 'tag' | undefined;
  /** The keyword that asks for it; set for the checks of a schema. */
  readonly rule?: string;
  /** The value of the keyword, as JSON can hold it. */
  readonly allowed?: unknown;
  /** Measures the given value, where the rule is about a number or a length, which is no secret by itself, or returns a scalar. */
  got?(value: unknown): number | string | boolean | undefined;
  /** The names that one that is refused may have been meant for. */
  readonly names?: readonly string[];
  accepts(value: unknown): boolean;
}

/** A format that changes how a value is represented, handed down to schemas that repeat the type without it. */
export type ValueRepresentation = string | undefined;

/** Finds the format that changes how a value is represented. */
export const representationOf = (formats: readonly (string | undefined)[]): ValueRepresentation =>
  formats.find(
    (format) => format === 'binary' || format === 'decimal' || integerRangeOf(format)?.isBigInt,
  );

const kindOf = (value: unknown): string => {
  if (typeof value === 'string') return 'a text';
  if (isNumeric(value)) return 'a number';
  if (value instanceof Uint8Array) return 'binary data';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
};

/** Describes a value, with itself where it is a scalar. */
const inWords = (value: unknown): string => {
  if (typeof value === 'string') return `the text ${JSON.stringify(cutText(value))}`;
  return isNumeric(value) ? `the number ${cutText(String(value))}` : kindOf(value);
};

const MUST_BE_INTEGER = 'must be an integer';

/** Integers without a format are those that a number holds, each by itself: beyond 2^53 one has already been rounded. */
const integer: Check = {
  message: MUST_BE_INTEGER,
  messageFor: (value) =>
    isWhole(value)
      ? `must be between ${safeIntegers.least} and ${safeIntegers.most}: format int64 takes more`
      : MUST_BE_INTEGER,
  given: inWords,
  accepts: Number.isSafeInteger,
};

const integerWithin = ({ least, most }: IntegerRange): Check => {
  const [low, high] = [Number(least), Number(most)];
  const message = `${MUST_BE_INTEGER} between ${least} and ${most}`;
  return {
    message,
    messageFor: (value) => (isWhole(value) ? message : MUST_BE_INTEGER),
    given: inWords,
    accepts: (value) =>
      typeof value === 'number'
        ? Number.isSafeInteger(value) && value >= low && value <= high
        : typeof value === 'bigint' && value >= least && value <= most,
  };
};

/** Numbers are those that a double holds, their shortest digits. */
const numberLike = (message: string, holds: (value: number) => boolean): Check => ({
  message,
  messageFor(value) {
    if (!isNumeric(value) || Number.isFinite(value)) return message;
    return Number.isFinite(Number(value))
      ? `${message} whose digits a double holds: format decimal takes more`
      : `must be between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}: format decimal takes more`;
  },
  accepts: (value) => {
    if (typeof value === 'number') return holds(value);
    const held = isNumeric(value) ? messageNumber(`${value}`) : undefined;
    return typeof held === 'number' && holds(held);
  },
});

/** The types with the formats of OAS 3.0.3; the entry '' is the type without a format known for it. */
const types: Readonly<
  Record<Exclude<JsonType, 'null'>, Readonly<Record<string, Check>> & { readonly '': Check }>
> = {
  string: {
    '': { message: 'must be a string', accepts: (value) => typeof value === 'string' },
    binary: { message: 'must be binary data', accepts: (value) => value instanceof Uint8Array },
  },
  integer: { '': integer },
  number: {
    '': numberLike('must be a number', Number.isFinite),
    float: numberLike('must be a number within the range of single precision', (value) =>
      Number.isFinite(Math.fround(value)),
    ),
    decimal: {
      message: 'must be a number, of at most 1000 digits',
      accepts: (value) => isNumeric(value) && exactValue(value) !== undefined,
    },
  },
  boolean: {
    '': { message: 'must be true or false', accepts: (value) => typeof value === 'boolean' },
  },
  object: { '': { message: 'must be an object', accepts: isPlainObject } },
  array: { '': { message: 'must be an array', accepts: Array.isArray } },
};

const orNull = (check: Check): Check => {
  const { message, messageFor, accepts } = check;
  return {
    ...check,
    message: `${message}, or null`,
    ...(messageFor && { messageFor: (value) => `${messageFor(value)}, or null` }),
    accepts: (value) => value === null || accepts(value),
  };
};

/** Adds the words for the given value; in the place of an object or an array it may hold a secret, and only its kind is named. */
const described = (check: Check, types: readonly JsonType[]): Check => ({
  given: types.includes('object') || types.includes('array') ? kindOf : inWords,
  ...check,
});

const nothing: Check = { message: 'must not be present', accepts: () => false };

/** Makes the check that refuses the rest of an object or a list. */
export const excluded = (part: 'property' | 'item'): Check => ({
  ...nothing,
  message: `${nothing.message}, since no such ${part} is allowed`,
});

const isNull: Check = {
  message: 'must be null',
  discriminates: 'type',
  accepts: (value) => value === null,
};

const checkOf = (type: JsonType, format: string, keepsDigits: boolean): Check => {
  const isNumber = type === 'integer' || type === 'number';
  const range = isNumber ? integerRangeOf(format) : undefined;
  if (range !== undefined) return integerWithin(range);
  const byFormat = type === 'null' ? { '': isNull } : types[type];
  const check = byFormat[Object.hasOwn(byFormat, format) ? format : ''] ?? nothing;
  if (!isNumber || !keepsDigits) return check;
  // Such integers were stored once, and other servers send them.
  const isKept = (value: unknown) => typeof value === 'bigint' && Number.isFinite(Number(value));
  return { ...check, accepts: (value) => isKept(value) || check.accepts(value) };
};

const MUST_BE = 'must be ';

const joined = (messages: readonly string[]): string =>
  MUST_BE + messages.map((message) => message.slice(MUST_BE.length)).join(' or ');

/** Joins the checks of several types. */
const anyOf = (checks: readonly Check[]): Check => ({
  message: joined(checks.map(({ message }) => message)),
  messageFor: (value) =>
    joined(checks.map(({ message, messageFor }) => messageFor?.(value) ?? message)),
  accepts: (value) => checks.some((check) => check.accepts(value)),
});

/**
 * Makes the check of the schema's types; undefined where it names none.
 * @param inherited the representation by an enclosing schema or an allOf sibling
 * @param keepsDigits true where integers may have more digits than a double
 */
export const typeCheck = (
  schema: Schema,
  inherited: ValueRepresentation,
  keepsDigits: boolean,
): Check | undefined => {
  if (schema.types === undefined) return undefined;
  const format = schema.format ?? inherited ?? '';
  const types = schema.types.filter((type) => type !== 'null');
  const isNullable = types.length < schema.types.length;
  const [first, ...others] = types.map((type) => checkOf(type, format, keepsDigits));
  if (first === undefined) return isNullable ? described(isNull, types) : nothing;
  const check = described(others.length === 0 ? first : anyOf([first, ...others]), types);
  return { ...(isNullable ? orNull(check) : check), discriminates: 'type' };
};
