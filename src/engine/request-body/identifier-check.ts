/** Holds the property that identifies a resource to its schema: its faults are answered as a parameter's are. */

import type { OpenAPIV3 } from 'openapi-types';
import type { SchemaContext } from '../document/model/schema-context';
import type { References } from '../document/references/references';
import { HttpError, type ValidationError } from '../http/http-error';
import type { Schema } from '../schema/shape';

/** A fault in a body; the path is a JSON Pointer. */
export const bodyError = (path: string, message: string): ValidationError => ({
  in: 'body',
  path,
  message,
});

/** The schema of a property, looked for through references and allOf. */
const propertySchema = (
  schema: Schema,
  name: string,
  references: References,
): Schema | undefined => {
  const { properties, allOf = [] } = references.follow<OpenAPIV3.SchemaObject>(schema);
  return (
    properties?.[name] ??
    allOf.map((part) => propertySchema(part, name, references)).find((found) => found !== undefined)
  );
};

/** Makes the check of the property that `x-identifier` names: it must be present, and fit its schema. */
export const identifierCheck = (
  schema: Schema,
  name: string,
  tools: SchemaContext,
): ((value: unknown) => HttpError | undefined) => {
  const property = propertySchema(schema, name, tools.references) ?? {};
  const validate = tools.validators.validatorOf(property, 'request');
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const identifier = Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : undefined;
    const [fault] =
      identifier === undefined ? [{ path: '', message: 'is required' }] : validate(identifier);
    if (fault === undefined) return undefined;
    return new HttpError(400, 'invalid-parameter', `The identifier ${name} ${fault.message}`, {
      errors: [bodyError(`/${name}${fault.path}`, fault.message)],
    });
  };
};
