/** What is wrong with a schema by itself, for a loader to say so before the first request. */

import { isPlainObject } from '../../lang/plain-object';
import { fieldsOf, InvalidSchema } from '../schema-fields';
import type { Schema } from '../shape';
import { checksOf } from './checks-of';

/**
 * A sentence saying which keyword is wrong (an ill-typed limit, a pattern that is no regular expression, a list as
 * `type`); undefined where all can be enforced. Looks at the schema itself, not at its subschemas.
 */
export const keywordError = (schema: Schema): string | undefined => {
  try {
    const fields = fieldsOf(schema);
    if (!('$ref' in fields)) checksOf(fields);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidSchema) return error.message;
    throw error;
  }
};

/**
 * A sentence saying why the schema's `default` does not fit its own keywords (OAS 3.0.3, Schema Object: it must conform to
 * the type); undefined where it fits, where there is none, or where a keyword is wrong. Subschemas are not looked at.
 */
export const defaultError = (schema: Schema): string | undefined => {
  if (!isPlainObject(schema) || '$ref' in schema || schema['default'] === undefined)
    return undefined;
  if (keywordError(schema) !== undefined) return undefined;
  const { default: value, format } = schema;
  // A document can only spell binary data as text.
  const given = format === 'binary' && typeof value === 'string' ? Buffer.from(value) : value;
  const failed = checksOf(schema).find((check) => !check.accepts(given));
  return failed && `The default does not fit its schema: it ${failed.message}.`;
};
