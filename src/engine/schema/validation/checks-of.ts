/** All rules of one schema that concern the value itself, and what is wrong with a schema by itself. */

import { isPlainObject } from '../../../base/plain-object';
import { fieldsOf, InvalidSchema, readText, type SchemaFields } from '../schema-parts';
import type { Schema } from '../shape';
import { equalityChecks } from './checks/equality-checks';
import { formats } from './checks/formats';
import { lengthChecks } from './checks/length-checks';
import { numberChecks } from './checks/number-checks';
import { patternCheck } from './checks/pattern-check';
import { type Check, type Representation, typeCheck } from './checks/type-check';

/**
 * The checks of a schema, without those of its subschemas. Throws InvalidSchema where a keyword is ill-typed.
 * @param inherited what an enclosing schema or an allOf sibling says of the value's representation
 */
export const checksOf = (schema: SchemaFields, inherited?: Representation): readonly Check[] =>
  [
    typeCheck(schema, inherited),
    ...equalityChecks(schema),
    ...numberChecks(schema),
    ...lengthChecks(schema),
    formats.get(readText(schema, 'format') ?? ''),
    patternCheck(schema),
  ].filter((check) => check !== undefined);

/**
 * Finds the keyword that is wrong (an ill-typed limit, a pattern that is no regular expression, a list as `type`);
 * undefined where all can be enforced. Looks at the schema itself, not at its subschemas.
 */
export const keywordError = (schema: Schema): InvalidSchema | undefined => {
  try {
    const fields = fieldsOf(schema);
    if (!('$ref' in fields)) checksOf(fields);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidSchema) return error;
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
