/** Reads the parameters of one location into a record, telling absent from wrong. */

import { FuelExhausted } from '../../base/fuel';
import { MalformedText } from '../../base/malformed-text';
import { emptyRecord } from '../../base/plain-object';
import type { Parameter, ParameterLocation } from '../document/model/operation';
import type { ValidationError } from '../http/http-error';
import { type Coerce, compileParameterCoercion } from '../schema/coercion';
import type { Shape } from '../schema/shape';
import type { Read } from './typed-value';

/** A parameter and how it is read from its location. */
export interface Field<Source> {
  readonly parameter: Parameter;
  readonly read: Read<Source>;
  /** Gives what was read the form that bodies have: exact types, defaults of properties, no readOnly ones. */
  readonly settle: Coerce;
  /** The schema's default; undefined where it has none. */
  readonly defaultValue: unknown;
}

/** What to do about one parameter, settled once. */
export const fieldOf = <Source>(
  parameter: Parameter,
  shape: Shape,
  read: Read<Source>,
): Field<Source> => ({
  parameter,
  read,
  settle: compileParameterCoercion(shape),
  defaultValue: shape.defaultValue,
});

/** What a reader threw, as an error; anything but MalformedText and FuelExhausted is thrown on. */
export const errorFrom = (
  location: ParameterLocation,
  path: string,
  error: unknown,
): ValidationError => {
  if (error instanceof MalformedText || error instanceof FuelExhausted) {
    return { in: location, path, message: error.message };
  }
  throw error;
};

const readField = <Source>(
  field: Field<Source>,
  source: Source,
  errors: ValidationError[],
): unknown => {
  const { parameter, defaultValue } = field;
  const { name, in: location, required } = parameter;
  try {
    const value = field.read(source);
    if (value !== undefined) return field.settle(value);
  } catch (error) {
    errors.push(errorFrom(location, name, error));
    return undefined;
  }
  if (required) {
    errors.push({ in: location, path: name, message: 'is required' });
    return undefined;
  }
  // A copy, because a handler may change what it is given.
  return defaultValue === undefined ? undefined : field.settle(structuredClone(defaultValue));
};

/** Values by declared name, defaults of absent optional parameters among them. */
export const readFields = <Source>(
  fields: readonly Field<Source>[],
  source: Source,
  errors: ValidationError[],
): Record<string, unknown> => {
  const values = emptyRecord<unknown>();
  for (const field of fields) {
    const value = readField(field, source, errors);
    if (value !== undefined) values[field.parameter.name] = value;
  }
  return values;
};
