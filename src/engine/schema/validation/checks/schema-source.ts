/** How validation reaches the rest of the document, and the ways in which it reads a schema. */

import type { Direction, Schema } from '../../shape';
import { InvalidSchema } from './invalid-schema';
import { fieldsOf, type SchemaFields } from './schema-fields';

/** Follows references. */
export interface SchemaSource {
  /** The schema that a `$ref` names; throws where it cannot be resolved. */
  resolve(ref: string): { readonly schema: Schema; readonly component: string | undefined };
}

/** A direction, or `either`: what one direction need not send is not required. */
export type Mode = Direction | 'any';

/** Follows `$ref`, whose siblings are ignored (OAS 3.0.3, Reference Object), to a Schema Object. */
export const followReferences = (schema: unknown, source: SchemaSource): SchemaFields => {
  const seen = new Set<string>();
  let fields = fieldsOf(schema);
  while (typeof fields['$ref'] === 'string') {
    const ref = fields['$ref'];
    if (seen.has(ref)) throw new InvalidSchema(`The reference "${ref}" leads back to itself.`);
    seen.add(ref);
    fields = fieldsOf(source.resolve(ref).schema);
  }
  return fields;
};
