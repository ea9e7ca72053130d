/** Results that belong to a schema of the document, and so live as long as it does. */

import type { Schema } from '../shape';
import type { Mode } from './checks/schema-source';

/** Remembers results: the same one for the same schema object and mode. */
export const perSchema = <Result>(
  make: (schema: Schema, mode: Mode) => Result,
): ((schema: Schema, mode: Mode) => Result) => {
  const results = new Map<Schema, Map<Mode, Result>>();
  return (schema, mode) => {
    const byMode = results.get(schema) ?? new Map<Mode, Result>();
    results.set(schema, byMode);
    const result = byMode.get(mode) ?? make(schema, mode);
    byMode.set(mode, result);
    return result;
  };
};
