/** Shapes for tests: `components` may be referred to; `accepts` is a small validator of types, enums and required. */

import { isPlainObject } from '../../../../src/base/plain-object';
import { referencesOf } from '../../../../src/engine/document/references/references';
import { compileShapes } from '../../../../src/engine/schema/compile-shapes';
import type { Schema, Shape } from '../../../../src/engine/schema/shape';

type Components = Readonly<Record<string, object>>;

const isSchema = (value: unknown): value is Schema => isPlainObject(value);

const targetOf = (schema: object, components: Components): object => {
  if (!('$ref' in schema)) return schema;
  const name = String(schema.$ref).replace('#/components/schemas/', '');
  const target = components[name];
  if (!target) throw new Error(`No component ${name}`);
  return targetOf(target, components);
};

const fitsType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' || value instanceof Uint8Array,
  integer: (value) => typeof value === 'bigint' || Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isPlainObject,
};

/** Enough of JSON Schema to tell the branches of the tests apart. */
export function fits(given: object, value: unknown, components: Components = {}): boolean {
  const schema = targetOf(given, components);
  const get = (key: string): unknown => Reflect.get(schema, key);
  if (value === null) return get('type') === undefined || get('nullable') === true;
  const type = get('type');
  if (typeof type === 'string' && !fitsType[type]?.(value)) return false;
  const allowed = get('enum');
  if (Array.isArray(allowed) && !allowed.includes(value)) return false;
  if (Array.isArray(value)) {
    const items = get('items');
    return !isPlainObject(items) || value.every((item) => fits(items, item, components));
  }
  return !isPlainObject(value) || fitsProperties(schema, value, components);
}

function fitsProperties(
  schema: object,
  value: Record<string, unknown>,
  components: Components,
): boolean {
  const required: unknown = Reflect.get(schema, 'required');
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, name)))
    return false;
  const properties: unknown = Reflect.get(schema, 'properties');
  if (!isPlainObject(properties)) return true;
  return Object.entries(properties).every(
    ([name, property]) =>
      !Object.hasOwn(value, name) ||
      !isPlainObject(property) ||
      fits(property, value[name], components),
  );
}

type Accepts = (schema: object) => (value: unknown) => boolean;

/** The shape of a schema. */
export function shapeOf(
  schema: object,
  components: Components = {},
  accepts?: () => boolean,
): Shape {
  if (!isSchema(schema)) throw new Error('No schema');
  return shapesOf(components, accepts && (() => accepts))(schema);
}

/** The shapes of a document with these components. */
export const shapesOf = (
  components: Components,
  accepts: Accepts = (schema) => (value) => fits(schema, value, components),
) =>
  compileShapes({
    resolve: referencesOf({ components: { schemas: components } }).resolve,
    accepts,
  });
