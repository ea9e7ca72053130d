/** What a schema asks of a plain value in any format: exact types, readOnly properties dropped, defaults filled in. */

import type { Direction } from './codec';
import { compilePerShape } from './compile-per-shape';
import { isPlainObject, type PlainObject, setOwn } from './plain-object';
import { isInt64 } from './scalars';
import type { Shape } from './shape';

/** Changes a freshly read value in place where it can, and gives it back. */
export type Convert = (value: unknown) => unknown;

/** The conversion of values that need none. */
const keep: Convert = (value) => value;

/**
 * Compiles the conversion of values just read: int64 becomes bigint, a bigint in the place of a number becomes number;
 * on a request readOnly properties are dropped and absent ones take their default. What does not fit stays as it is.
 */
export function compileConversion(shape: Shape, direction: Direction): Convert {
  const compile = compilePerShape<[unknown], unknown>((inner, compileInner) =>
    inner.alternatives.length > 0
      ? chooseAlternative(inner, compileInner, direction)
      : convertPlainly(inner, compileInner, direction),
  );
  return compile(shape);
}

type Compile = (shape: Shape) => Convert;

function chooseAlternative(shape: Shape, compile: Compile, direction: Direction): Convert {
  const candidates = shape.alternatives.map(({ shape: inner, accepts }) => ({
    convert: compile(inner),
    accepts,
  }));
  const plainly = convertPlainly(shape, compile, direction);
  return (value) => {
    for (const { convert, accepts } of candidates) {
      const converted = convert(structuredClone(value));
      if (accepts(converted)) return converted;
    }
    return plainly(value);
  };
}

function convertPlainly(shape: Shape, compile: Compile, direction: Direction): Convert {
  switch (shape.type) {
    case 'integer':
      return isInt64(shape) ? toBigInt : keep;
    case 'number':
      return toNumber;
    case 'array':
      return shape.items ? convertItems(compile(shape.items)) : keep;
    case 'object':
      return convertObject(shape, compile, direction);
    default:
      return keep;
  }
}

const toBigInt: Convert = (value) => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value);

const toNumber: Convert = (value) => (typeof value === 'bigint' ? Number(value) : value);

function convertItems(convert: Convert): Convert {
  if (convert === keep) return keep;
  return (value) => {
    if (!Array.isArray(value)) return value;
    for (const [index, item] of value.entries()) value[index] = convert(item);
    return value;
  };
}

/** What is to be done with one property. */
type Step = (object: PlainObject) => void;

function convertObject(shape: Shape, compile: Compile, direction: Direction): Convert {
  const steps = [...shape.properties].flatMap(([name, property]) =>
    stepsOfProperty(name, property, compile(property), direction),
  );
  const { additional } = shape;
  const convertAdditional = typeof additional === 'object' ? compile(additional) : keep;
  if (convertAdditional !== keep) steps.push(convertUndeclared(shape, convertAdditional));
  if (steps.length === 0) return keep;
  return (value) => {
    if (isPlainObject(value)) for (const step of steps) step(value);
    return value;
  };
}

function stepsOfProperty(
  name: string,
  property: Shape,
  convert: Convert,
  direction: Direction,
): readonly Step[] {
  if (direction === 'request' && property.readOnly) {
    return [
      (object) => {
        if (Object.hasOwn(object, name)) delete object[name];
      },
    ];
  }
  const steps: Step[] = [];
  if (convert !== keep) {
    steps.push((object) => {
      if (Object.hasOwn(object, name)) setOwn(object, name, convert(object[name]));
    });
  }
  const { defaultValue } = property;
  if (direction === 'request' && defaultValue !== undefined) {
    steps.push((object) => {
      if (Object.hasOwn(object, name)) return;
      setOwn(object, name, convert(structuredClone(defaultValue)));
    });
  }
  return steps;
}

function convertUndeclared({ properties }: Shape, convert: Convert): Step {
  return (object) => {
    for (const name of Object.keys(object)) {
      if (!properties.has(name)) setOwn(object, name, convert(object[name]));
    }
  };
}
