/** The properties that requests and responses carry, and the schemas that need a type for each. */

import { allParts } from './schema-parts';
import {
  branchesOf,
  type Direction,
  isReference,
  memberSchemasOf,
  type Schema,
  type SchemaSource,
} from './schema-source';

/** Tells whether messages of a direction carry a property (OAS 3.0.3, Schema Object, readOnly and writeOnly). */
export const travels = (property: Schema, direction: Direction, source: SchemaSource): boolean => {
  const parts = allParts(property, source);
  return direction === 'request'
    ? parts.every(({ readOnly }) => readOnly !== true)
    : parts.every(({ writeOnly }) => writeOnly !== true);
};

/** Tells whether requests and responses carry the schema's values differently, at any depth. */
export const differsByDirection = (schema: Schema, source: SchemaSource): boolean => {
  const seen = new Set<Schema>();
  const differs = (given: Schema): boolean => {
    if (seen.has(given)) return false;
    seen.add(given);
    if (isReference(given)) {
      const target = source.resolve(given.$ref);
      return target !== undefined && differs(target);
    }
    return (
      Object.values(given.properties ?? {}).some(
        (property) =>
          !travels(property, 'request', source) || !travels(property, 'response', source),
      ) || [...branchesOf(given), ...memberSchemasOf(given)].some(differs)
    );
  };
  return differs(schema);
};
