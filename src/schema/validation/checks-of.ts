/** All rules of one schema that concern the value itself, and the errors of its keywords. */

import { isMultipleOf } from '../../base/decimal';
import {
  compareExactly,
  type ExactNumber,
  exactValue,
  inNumberPlace,
  isNumeric,
  readDecimal,
} from '../../base/exact-number';
import { isPlainObject } from '../../base/plain-object';
import { recover } from '../../base/recover';
import { InvalidSchema, isBinary, type Schema, UnresolvableReference } from '../../model/schema';
import type { Mode } from '../shape';
import { allowedValues, distinctItems } from './checks/equality-checks';
import { formats } from './checks/formats';
import { integerRangeOf } from './checks/integer-ranges';
import { patternCheck, patternTest } from './checks/pattern-check';
import { type Check, typeCheck, type ValueRepresentation } from './checks/type-check';

const countCodePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

// Each code point takes one or two UTF-16 units, so most texts are decided without counting.
const isAtLeast = (text: string, least: number): boolean =>
  text.length >= least && (text.length >= 2 * least || countCodePoints(text) >= least);

const isAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && countCodePoints(text) <= most);

/** A keyword and its check; undefined where the schema does not have it. */
type KeywordCheck = readonly [keyword: keyof Schema, check: Check | undefined];

/** Makes the checks of a schema's length keywords. */
const lengthChecks = (schema: Schema): readonly KeywordCheck[] => {
  const unit = isBinary([schema]) ? 'byte' : 'character';
  return (['minLength', 'maxLength'] as const).map((keyword): KeywordCheck => {
    const limit = schema[keyword];
    if (limit === undefined) return [keyword, undefined];
    const isLeast = keyword === 'minLength';
    const fits = isLeast ? isAtLeast : isAtMost;
    const check: Check = {
      message: `must be at ${isLeast ? 'least' : 'most'} ${limit} ${unit}${limit === 1 ? '' : 's'} long`,
      got: (value) => (value instanceof Uint8Array ? value.length : countCodePoints(`${value}`)),
      accepts: (value) => {
        if (typeof value === 'string') return fits(value, limit);
        if (!(value instanceof Uint8Array)) return true;
        return isLeast ? value.length >= limit : value.length <= limit;
      },
    };
    return [keyword, check];
  });
};

/**
 * Makes a predicate that accepts finite numbers that are exact multiples of the divisor.
 * @param divisor greater than 0
 */
export const exactMultiple = (divisor: ExactNumber): ((value: ExactNumber) => boolean) => {
  const unit = exactValue(divisor);
  const small = Number.isSafeInteger(divisor) ? Number(divisor) : undefined;
  return (value) => {
    if (small !== undefined && typeof value === 'number' && Number.isSafeInteger(value)) {
      return value % small === 0;
    }
    const given = exactValue(value);
    return unit !== undefined && given !== undefined && isMultipleOf(given, unit);
  };
};

/** Returns a number that JSON of every program can hold: the text of its digits where a double has not all of them. */
const plainNumber = (value: ExactNumber): number | string =>
  String(Number(value)) === String(value) ? Number(value) : String(value);

const ofNumbers = (
  { format }: Schema,
  message: string,
  holds: (value: ExactNumber) => boolean,
): Check => ({
  message,
  got: (value) => (isNumeric(value) ? plainNumber(value) : String(value)),
  accepts(value) {
    const isText = format === 'decimal' && typeof value === 'string';
    const number = isText ? readDecimal(value) : value;
    return !isNumeric(number) || holds(number);
  },
});

/** The keywords that limit numbers, in words. */
const limits = [
  ['minimum', 'at least', (order: number) => order >= 0],
  ['exclusiveMinimum', 'greater than', (order: number) => order > 0],
  ['maximum', 'at most', (order: number) => order <= 0],
  ['exclusiveMaximum', 'less than', (order: number) => order < 0],
] as const;

/** Makes the checks of limits and `multipleOf`, exact for numbers of every type. */
const numberChecks = (schema: Schema): readonly KeywordCheck[] => {
  const { multipleOf: unit } = schema;
  const checks = limits.map(([keyword, words, holds]): KeywordCheck => {
    const limit = schema[keyword];
    if (limit === undefined) return [keyword, undefined];
    // In the place of a number the nearest one is meant.
    const nearest = inNumberPlace(limit);
    const isWithin = (value: ExactNumber) =>
      holds(compareExactly(value, typeof value === 'number' ? nearest : limit));
    return [keyword, ofNumbers(schema, `must be ${words} ${limit}`, isWithin)];
  });
  if (unit === undefined) return checks;
  const ofUnit = ofNumbers(schema, `must be a multiple of ${unit}`, exactMultiple(unit));
  return [...checks, ['multipleOf', ofUnit]];
};

/** Values of a keyword that errors list. */
const LISTED = 30;

/** Gives the value of a keyword a form that JSON of every program can hold. */
const plainValue = (value: unknown): unknown => {
  if (isNumeric(value)) return plainNumber(value);
  if (Array.isArray(value)) return value.slice(0, LISTED).map(plainValue);
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainValue(one)]))
    : value;
};

/** Characters of the longest text that an error repeats. */
const SHORT = 40;

/** Returns a scalar in a form that errors can have; undefined for any other value, and a long text. */
const shortScalar = (value: unknown): number | string | boolean | undefined => {
  if (isNumeric(value)) return plainNumber(value);
  const isShort = typeof value === 'string' && value.length <= SHORT;
  return isShort || typeof value === 'boolean' ? value : undefined;
};

/** Names the keyword of a check for the errors that it makes. */
const ruled = (schema: Schema, keyword: keyof Schema, check: Check): Check => {
  if (keyword === 'enum') {
    const { isConst, enum: values = [] } = schema;
    const [rule, allowed] = isConst ? ['const', values[0]] : ['enum', values];
    // In the place of an object or an array a text may be a secret.
    const hasParts = values.some((value) => Array.isArray(value) || isPlainObject(value));
    const got = hasParts ? undefined : shortScalar;
    return { ...check, rule, allowed: plainValue(allowed), ...(got && { got }) };
  }
  const rule = keyword === 'types' ? 'type' : keyword;
  return { ...check, rule, allowed: plainValue(schema[keyword]) };
};

/**
 * Makes the checks of a schema, without those of its subschemas. Throws the schema's error.
 * @param inherited the value's representation by an enclosing schema or an allOf sibling
 * @param known the checks of formats
 * @param mode the direction of the value
 */
export const checksOf = (
  schema: Schema,
  inherited?: ValueRepresentation,
  known: ReadonlyMap<string, Check> = formats,
  mode: Mode = 'any',
): readonly Check[] => {
  if (schema.error !== undefined) throw schema.error;
  for (const name of schema.patternProperties?.keys() ?? []) patternTest(name, 'patternProperties');
  const isRanged = integerRangeOf(schema.format ?? '') !== undefined;
  const keepsDigits = mode === 'response' || mode === 'storage';
  const checks: readonly KeywordCheck[] = [
    // A format of integers says the type, too.
    [isRanged ? 'format' : 'types', typeCheck(schema, inherited, keepsDigits)],
    ['enum', allowedValues(schema)],
    ['uniqueItems', schema.uniqueItems ? distinctItems : undefined],
    ...numberChecks(schema),
    ...lengthChecks(schema),
    ['format', known.get(schema.format ?? '')],
    ['pattern', patternCheck(schema.pattern)],
  ];
  return checks.flatMap(([keyword, check]) => (check ? [ruled(schema, keyword, check)] : []));
};

/**
 * Finds the keyword that is wrong (an ill-typed limit, a pattern that is no regular expression, an unknown `type`);
 * undefined where all can be enforced. Looks at the schema itself, not at its subschemas.
 */
export const keywordError = (schema: Schema): InvalidSchema | undefined =>
  schema.error instanceof UnresolvableReference
    ? undefined
    : recover(
        () => void checksOf(schema),
        InvalidSchema,
        (error) => error,
      );

/**
 * Says why the schema's `default` does not fit its own keywords (OAS 3.0.3, Schema Object: it must conform to the type);
 * undefined where it fits, is missing, or where a keyword is wrong. Subschemas are not looked at.
 */
export const defaultError = (schema: Schema): string | undefined => {
  const { default: value } = schema;
  if (value === undefined || schema.error !== undefined || keywordError(schema) !== undefined) {
    return undefined;
  }
  // A document can only spell binary data as text.
  const isBytes = isBinary([schema]) && typeof value === 'string';
  const given = isBytes ? Buffer.from(value) : value;
  const failed = checksOf(schema).find((check) => !check.accepts(given));
  return failed && `The default does not fit its schema: it ${failed.message}.`;
};
