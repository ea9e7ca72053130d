/** Text to number, boolean or string and back, led by the schema; shared by XML, forms and parameters. */

import { readInteger } from '../base/integer-text';
import { textOf } from '../base/octets';
import { compileReader } from './compile-per-shape';
import type { Shape } from './shape';

/** Numbers as JSON writes them (RFC 8259 section 6): no plus, no hexadecimal, no blanks, no leading zeros. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Tells whether the schema's values are bigints. */
export const isInt64 = (shape: Shape): boolean =>
  shape.type === 'integer' && shape.format === 'int64';

type ReadScalar = (text: string) => unknown;

/**
 * Compiles the reading of texts by a schema: int64 as bigint, other integers and numbers as number, booleans, strings as they are.
 * A text that does not convert is given back as text, so that validation names it; so is an integer beyond 2^53 as bigint,
 * because rounding it would change it.
 */
export function scalarReader(shape: Shape): ReadScalar {
  return compileScalar(shape, readBoolean);
}

/** Compiles the same as scalarReader; booleans are also `1` and `0` (XML Schema Part 2, section 3.2.2). */
export function xmlScalarReader(shape: Shape): ReadScalar {
  return compileScalar(shape, readXmlBoolean);
}

/** Writes a scalar: the shortest exact form, never rounded; bytes as the text that they encode. */
export const writeScalar = (value: unknown): string =>
  value instanceof Uint8Array ? textOf(value) : String(value);

const compileScalar = (shape: Shape, readTruth: ReadScalar): ReadScalar =>
  compileReader<string>((inner) => plainReader(inner, readTruth))(shape);

function plainReader(shape: Shape, readTruth: ReadScalar): ReadScalar {
  switch (shape.type) {
    case 'integer':
      return isInt64(shape) ? readInt64 : readWhole;
    case 'number':
      return readNumber;
    case 'boolean':
      return readTruth;
    default:
      return keepText;
  }
}

/** Reads a text as the text that it is. */
export function keepText(text: string): string {
  return text;
}

function readInt64(text: string): bigint | string {
  const value = readInteger(text);
  return value === undefined ? text : BigInt(value);
}

function readWhole(text: string): number | bigint | string {
  return readInteger(text) ?? text;
}

function readNumber(text: string): number | string {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : text;
}

function readBoolean(text: string): boolean | string {
  if (text === 'true') return true;
  return text === 'false' ? false : text;
}

function readXmlBoolean(text: string): boolean | string {
  if (text === '1') return true;
  return text === '0' ? false : readBoolean(text);
}
