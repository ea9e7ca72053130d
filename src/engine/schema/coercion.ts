/** What a schema asks of a plain value in any format: exact types, readOnly properties dropped, defaults filled in. */

import { memoize } from '../lang/memoize';
import { isPlainObject, type PlainObject, setOwn } from '../lang/plain-object';
import { bytesOf } from './binary-text';
import { compilePerShape } from './compile-per-shape';
import { isInt64 } from './scalars';
import type { Direction, Shape } from './shape';

/** Gives the converted value; what it is given stays unchanged. */
export type Coerce = (value: unknown) => unknown;

/** The conversion of values that need none. */
const keep: Coerce = (value) => value;

/**
 * Compiles the conversion of values just read: int64 becomes bigint, a bigint in the place of a number becomes number, a
 * text in the place of bytes becomes bytes;
 * on a request readOnly properties are dropped and absent ones take their default. What does not fit stays as it is.
 */
export function compileCoercion(shape: Shape, direction: Direction): Coerce {
  const compile = compilePerShape<[unknown], unknown>((inner, compileInner) =>
    inner.alternatives.length > 0
      ? chooseAlternative(inner, compileInner, direction)
      : convertPlainly(inner, compileInner, direction),
  );
  return compile(shape);
}

type Compile = (shape: Shape) => Coerce;

function chooseAlternative(shape: Shape, compile: Compile, direction: Direction): Coerce {
  const candidates = shape.alternatives.map(({ shape: inner, accepts }) => ({
    convert: compile(inner),
    accepts,
  }));
  const plainly = convertPlainly(shape, compile, direction);
  // Where all convert alike, none has to be chosen.
  if (candidates.every(({ convert }) => convert === plainly)) return plainly;
  return memoize((value) => {
    for (const { convert, accepts } of candidates) {
      const converted = convert(value);
      if (accepts(converted)) return converted;
    }
    return plainly(value);
  });
}

function convertPlainly(shape: Shape, compile: Compile, direction: Direction): Coerce {
  switch (shape.type) {
    case 'integer':
      return isInt64(shape) ? toBigInt : keep;
    case 'number':
      return toNumber;
    case 'string':
      return shape.format === 'binary' ? toBytes : keep;
    case 'array':
      return shape.items ? convertItems(compile(shape.items)) : keep;
    case 'object':
      return convertObject(shape, compile, direction);
    default:
      return keep;
  }
}

const toBigInt: Coerce = (value) => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value);

const toBytes: Coerce = (value) => (typeof value === 'string' ? bytesOf(value) : value);

const toNumber: Coerce = (value) => (typeof value === 'bigint' ? Number(value) : value);

function convertItems(convert: Coerce): Coerce {
  if (convert === keep) return keep;
  return (value) => (Array.isArray(value) ? value.map((item) => convert(item)) : value);
}

/** What is to be done with one property of a copy. */
type Step = (copy: PlainObject) => void;

function convertObject(shape: Shape, compile: Compile, direction: Direction): Coerce {
  const steps = [...shape.properties].flatMap(([name, property]) =>
    direction === 'request' && property.readOnly
      ? [dropProperty(name)]
      : [
          ...convertProperty(name, compile(property)),
          ...(direction === 'request' ? fillDefault(name, property, compile(property)) : []),
        ],
  );
  steps.push(...convertUndeclared(shape, compile));
  if (steps.length === 0) return keep;
  return (value) => {
    if (!isPlainObject(value)) return value;
    const copy = { ...value };
    for (const step of steps) step(copy);
    return copy;
  };
}

function dropProperty(name: string): Step {
  return (copy) => {
    if (Object.hasOwn(copy, name)) delete copy[name];
  };
}

function convertProperty(name: string, convert: Coerce): readonly Step[] {
  if (convert === keep) return [];
  return [
    (copy) => {
      if (Object.hasOwn(copy, name)) setOwn(copy, name, convert(copy[name]));
    },
  ];
}

function fillDefault(name: string, { defaultValue }: Shape, convert: Coerce): readonly Step[] {
  if (defaultValue === undefined) return [];
  return [
    (copy) => {
      if (!Object.hasOwn(copy, name)) setOwn(copy, name, convert(structuredClone(defaultValue)));
    },
  ];
}

function convertUndeclared({ properties, additional }: Shape, compile: Compile): readonly Step[] {
  const convert = typeof additional === 'object' ? compile(additional) : keep;
  if (convert === keep) return [];
  return [
    (copy) => {
      for (const name of Object.keys(copy)) {
        if (!properties.has(name)) setOwn(copy, name, convert(copy[name]));
      }
    },
  ];
}
