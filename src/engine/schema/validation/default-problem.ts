/** Whether a schema's `default` fits the schema's own rules (OAS 3.0.3, Schema Object: it must conform to the type). */

import type { Schema } from '../shape';
import { isFields } from './checks/schema-fields';
import { checksOf } from './checks-of';
import { keywordProblem } from './keyword-problem';

/**
 * A sentence saying why the default does not fit; undefined where it fits, where there is none, or where the schema
 * itself is at fault. Looks at the schema itself, not at its subschemas, so that a loader may ask it of every schema.
 */
export const defaultProblem = (schema: Schema): string | undefined => {
  if (!isFields(schema) || '$ref' in schema || schema['default'] === undefined) return undefined;
  if (keywordProblem(schema) !== undefined) return undefined;
  const { default: value, format } = schema;
  // A document can only spell binary data as text.
  const given = format === 'binary' && typeof value === 'string' ? Buffer.from(value) : value;
  const failed = checksOf(schema).find((check) => !check.accepts(given));
  return failed && `The default does not fit its schema: it ${failed.message}.`;
};
