/** Text to number, boolean or string and back, led by the schema; shared by XML, forms and parameters. */

import { exactInteger, readDecimal, readNumber } from '../base/exact-number';
import { textOf } from '../base/octets';
import type { Schema } from '../model/schema';
import { compileReader } from './compile-per-shape';
import { viewOf } from './schema-view';
import type { Shape } from './shape';
import { integerRangeOf } from './validation/checks/integer-ranges';

/** A type and its format. */
interface Typed {
  readonly type: string;
  readonly format: string | undefined;
}

/** Tells whether the schema's values are bigints, whatever their size. */
export const isBigInt = ({ type, format }: Typed): boolean =>
  (type === 'integer' || type === 'number') && integerRangeOf(format)?.isBigInt === true;

/** Tells whether the schema's values are numbers of which every digit is kept. */
export const isDecimal = ({ type, format }: Typed): boolean =>
  type === 'number' && format === 'decimal';

type ReadScalar = (text: string) => unknown;

/**
 * Compiles the reading of texts by a schema: int64 as bigint, decimals by their digits, other numbers as exact-number.ts has them,
 * booleans, strings as they are. A text that does not convert is given back as text, so that validation names it.
 */
export const scalarReader = (shape: Shape): ReadScalar => compileScalar(shape, readBoolean);

/** As scalarReader; booleans are also `1` and `0` (XML Schema Part 2, section 3.2.2). */
export const xmlScalarReader = (shape: Shape): ReadScalar =>
  compileScalar(shape, (text) => {
    if (text === '1') return true;
    return text === '0' ? false : readBoolean(text);
  });

/** Writes a scalar: the shortest exact form, never rounded; bytes as the text that they encode. */
export const writeScalar = (value: unknown): string =>
  value instanceof Uint8Array ? textOf(value) : String(value);

const compileScalar = (shape: Shape, readTruth: ReadScalar): ReadScalar =>
  compileReader<string>((inner) => {
    const { type } = inner;
    if (type === 'boolean') return readTruth;
    if (type !== 'integer' && type !== 'number') return keepText;
    if (isBigInt(inner)) return (text) => exactInteger(readNumber(text, 'integer') ?? text);
    return isDecimal(inner)
      ? (text) => readDecimal(text) ?? text
      : (text) => readNumber(text, type) ?? text;
  })(shape);

/** Reads a text as the text that it is. */
export const keepText = (text: string): string => text;

function readBoolean(text: string): boolean | string {
  if (text === 'true') return true;
  return text === 'false' ? false : text;
}

/** Returns the value that stands where none is given: the default, or all that a schema allows; undefined where there may be several. */
export const onlyValue = (schema: Schema): unknown => {
  const { parts, enumerated = [] } = viewOf(schema);
  const [usual] = parts.map((part) => part.default).filter((value) => value !== undefined);
  return usual ?? (enumerated.length === 1 ? enumerated[0] : undefined);
};
