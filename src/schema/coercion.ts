/** Coerces plain values of any format by their schema: exact types, readOnly properties dropped, defaults filled in. */

import {
  exactInteger,
  handOver,
  inDecimalPlace,
  inNumberPlace,
  readDecimal,
} from '../base/exact-number';
import { memoize } from '../base/memoize';
import { bytesOf } from '../base/octets';
import { copyOf, isPlainObject, type PlainObject, setOwn } from '../base/plain-object';
import {
  compileItems,
  compilePerShape,
  compileReader,
  compileUndeclared,
  readAlternatives,
} from './compile-per-shape';
import { isBigInt, isDecimal } from './scalars';
import { type Direction, itemShapes, type Shape } from './shape';

/** Returns the coerced value; the given one stays unchanged. */
export type Coerce = (value: unknown) => unknown;

/**
 * The direction of a value; on an `upgrade` a stored one meets a newer schema, and absent properties take their default; a handler has `given` it, and decimals are texts; it is `sent` by the API itself, without writeOnly
 * properties.
 */
type Travel = Direction | 'upgrade' | 'given' | 'sent';

const keep: Coerce = (value) => value;

/** Makes the last step of validated values of shapes: handlers get decimals as texts. */
export const handingOver = (shapes: readonly Shape[]): Coerce =>
  shapes.some(({ holdsDecimals }) => holdsDecimals) ? handOver : keep;

/**
 * Compiles the coercion of values just read: int64 becomes bigint, the text of a number in the place of others becomes one, a text in the place of bytes becomes bytes; on a request readOnly properties and those that no schema asks for are dropped, and
 * absent ones take their default. Values that do not fit stay as they are.
 */
export const compileCoercion = (shape: Shape, direction: Travel): Coerce =>
  direction === 'request' ? requestCoercion(shape) : coercionOf(direction)(shape);

/** Each shape once, however many operations share it. */
const coercionOf = memoize(
  (direction: Travel) =>
    compileReader<unknown>((inner, compile) => compilePlain(inner, compile, direction)),
  { max: 6 },
);

/**
 * Compiles the coercion of what a handler gives: a text in the place of a decimal becomes that number, unless the value fits a branch
 * of a union as it is.
 */
export const compileGiven: (shape: Shape) => Coerce = compilePerShape<[unknown], unknown>(
  (shape, compile) => {
    const plain = compilePlain(shape, compile, 'given');
    const choose = readAlternatives(shape, compile, plain);
    if (choose === plain) return plain;
    return (value) =>
      shape.alternatives.some(({ accepts }) => accepts(value)) ? value : choose(value);
  },
);

/** Drops nothing inside values that are compared as wholes: without it another branch might fit, or two items be equal. */
const requestCoercion = compilePerShape<[unknown], unknown>((shape, compile) => {
  if (shape.comparesWhole) return coercionOf('request')(shape);
  const coerce = compilePlain(shape, compile, 'request');
  const { type, properties, ignoresUndeclared } = shape;
  if (type !== 'object' || !ignoresUndeclared) return coerce;
  return (value) => {
    const isDeclared = (name: string) => properties.has(name);
    if (!isPlainObject(value) || Object.keys(value).every(isDeclared)) return coerce(value);
    const declared = Object.entries(value).filter(([name]) => isDeclared(name));
    return coerce(Object.fromEntries(declared));
  };
});

/** As above for parameters; keeps undeclared members. */
export const compileParameterCoercion = (shape: Shape): Coerce => coercionOf('request')(shape);

type Compile = (shape: Shape) => Coerce;

function compilePlain(shape: Shape, compile: Compile, direction: Travel): Coerce {
  const isGiven = direction === 'given' || direction === 'sent';
  if (shape.isBinary) return isGiven ? keep : toBytes;
  if (isDecimal(shape)) return isGiven ? fromDigits : inDecimalPlace;
  switch (shape.type) {
    case 'integer':
    case 'number':
      if (isGiven) return keep;
      return isBigInt(shape) ? exactInteger : inNumberPlace;
    case 'array':
      return coerceItems(shape, compile);
    case 'object':
      return coerceObject(shape, compile, direction);
    default:
      return keep;
  }
}

const toBytes: Coerce = (value) => (typeof value === 'string' ? bytesOf(value) : value);

const fromDigits: Coerce = (value) =>
  typeof value === 'string' ? (readDecimal(value) ?? value) : inDecimalPlace(value);

function coerceItems(shape: Shape, compile: Compile): Coerce {
  if (itemShapes(shape).every((item) => compile(item) === keep)) return keep;
  const coerceAt = compileItems(shape, compile, keep);
  return (value) =>
    Array.isArray(value) ? value.map((item, index) => coerceAt(index)(item)) : value;
}

type Step = (copy: PlainObject) => void;

function coerceObject(shape: Shape, compile: Compile, direction: Travel): Coerce {
  const steps = [
    ...[...shape.properties].map(([name, property]) =>
      coerceProperty(name, property, compile, direction),
    ),
    coerceUndeclared(shape, compile, direction),
  ].filter((step) => step !== undefined);
  if (steps.length === 0) return keep;
  return (value) => {
    if (!isPlainObject(value)) return value;
    const copy = { ...value };
    for (const step of steps) step(copy);
    return copy;
  };
}

const isDropped = ({ readOnly, writeOnly }: Shape, direction: Travel): boolean =>
  direction === 'request' ? readOnly : direction === 'sent' && writeOnly;

/** Makes the step that coerces a property, drops it, or fills its default in; undefined where nothing changes anything. */
function coerceProperty(
  name: string,
  property: Shape,
  compile: Compile,
  direction: Travel,
): Step | undefined {
  if (isDropped(property, direction)) {
    return (copy) => {
      if (Object.hasOwn(copy, name)) delete copy[name];
    };
  }
  const coerce = compile(property);
  const fills = direction === 'request' || direction === 'upgrade';
  const defaultValue = fills ? property.defaultValue : undefined;
  if (coerce === keep && defaultValue === undefined) return undefined;
  return (copy) => {
    if (Object.hasOwn(copy, name)) setOwn(copy, name, coerce(copy[name]));
    else if (defaultValue !== undefined) setOwn(copy, name, coerce(copyOf(defaultValue)));
  };
}

function coerceUndeclared(shape: Shape, compile: Compile, direction: Travel): Step | undefined {
  const { properties, patterned, additional } = shape;
  const coerceNamed = compileUndeclared(shape, compile, keep);
  const isKept = patterned === undefined && (additional === false || coerceNamed('') === keep);
  if (isKept) return undefined;
  return (copy) => {
    for (const name of Object.keys(copy)) {
      if (properties.has(name)) continue;
      const other = patterned?.find(name);
      if (other && isDropped(other, direction)) delete copy[name];
      else setOwn(copy, name, coerceNamed(name)(copy[name]));
    }
  };
}
