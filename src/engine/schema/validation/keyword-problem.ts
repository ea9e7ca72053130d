/** Whether a schema's keywords can be enforced at all, for a loader to say so before the first request. */

import type { Schema } from '../shape';
import { InvalidSchema } from './checks/invalid-schema';
import { fieldsOf } from './checks/schema-fields';
import { checksOf } from './checks-of';

/**
 * A sentence saying which keyword is at fault (an ill-typed limit, a pattern that is no regular expression, a list as
 * `type`); undefined where all are sound. Looks at the schema itself, not at its subschemas.
 */
export const keywordProblem = (schema: Schema): string | undefined => {
  try {
    const fields = fieldsOf(schema);
    if (!('$ref' in fields)) checksOf(fields);
    return undefined;
  } catch (fault) {
    if (fault instanceof InvalidSchema) return fault.message;
    throw fault;
  }
};
