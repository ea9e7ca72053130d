/** Holds the property that identifies a resource to its schema: its errors are answered as a parameter's are. */

import { isPlainObject } from '../../base/plain-object';
import type { SchemaContext } from '../document/model/schema-context';
import { HttpError, type ValidationError } from '../http/http-error';
import { partsOf } from '../schema/schema-parts';
import type { Schema } from '../schema/shape';

/** An error in a body; the path is a JSON Pointer. */
export const bodyError = (path: string, message: string): ValidationError => ({
  in: 'body',
  path,
  message,
});

/** Makes the check of the property that `x-identifier` names: it must be present, and fit its schema; it throws else. */
export const identifierCheck = (schema: Schema, name: string, tools: SchemaContext) => {
  const { parts } = partsOf([schema], tools.references);
  const property = parts.find(({ properties }) => properties?.[name])?.properties?.[name] ?? {};
  const validate = tools.validators.validatorOf(property, 'request');
  return (value: unknown): void => {
    if (!isPlainObject(value)) return;
    const identifier = Object.hasOwn(value, name) ? value[name] : undefined;
    const [error] =
      identifier === undefined ? [{ path: '', message: 'is required' }] : validate(identifier);
    if (error === undefined) return;
    throw new HttpError(400, 'invalid-parameter', `The identifier ${name} ${error.message}`, {
      errors: [bodyError(`/${name}${error.path}`, error.message)],
    });
  };
};
