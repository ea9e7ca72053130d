/** Shapes for tests: `components` may be referred to; `accepts` is a small validator of types, enums and required. */

import { isNumeric } from '../../../../src/base/exact-number';
import { isPlainObject } from '../../../../src/base/plain-object';
import type { Schema } from '../../../../src/model/schema';
import { compileShapes } from '../../../../src/schema/compile-shapes';
import type { Accepts, Shape } from '../../../../src/schema/shape';
import { schemasOf } from '../../../support/schemas';

type Components = Readonly<Record<string, object>>;

const fitsType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' || value instanceof Uint8Array,
  integer: (value) => typeof value === 'bigint' || Number.isSafeInteger(value),
  number: isNumeric,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isPlainObject,
};

/** Enough of JSON Schema to tell the branches of the tests apart. */
export function fits(schema: Schema, value: unknown): boolean {
  const { types, enum: allowed, items } = schema;
  if (value === null) return types?.includes('null') ?? true;
  if (types !== undefined && !types.some((type) => fitsType[type]?.(value))) return false;
  if (allowed !== undefined && !allowed.includes(value)) return false;
  if (Array.isArray(value)) return items === undefined || value.every((item) => fits(items, item));
  return !isPlainObject(value) || fitsProperties(schema, value);
}

function fitsProperties({ required, properties }: Schema, value: Record<string, unknown>): boolean {
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    [...(properties ?? [])].every(
      ([name, property]) => !Object.hasOwn(value, name) || fits(property, value[name]),
    )
  );
}

/** The shape of a schema. */
export function shapeOf(
  schema: object,
  components: Components = {},
  accepts?: () => boolean,
): Shape {
  return shapesOf(components, accepts && (() => accepts))(schema);
}

/** The shapes of a document with these components. */
export const shapesOf = (
  components: Components,
  accepts: Accepts = (schema) => (value) => fits(schema, value),
): ((schema: object) => Shape) => {
  const read = schemasOf(components);
  const shapes = compileShapes(accepts);
  return (schema) => shapes(read(schema));
};
