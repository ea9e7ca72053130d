/** Schemas that hold together: a schema and its members. */

import { type Schema, UnresolvableReference } from '../model/schema';

/**
 * Adds a schema and those that hold together with it, at any depth, each once. Throws where a reference leads nowhere.
 * @param innerOf gives the schemas that a schema adds; its members by default
 */
export function addMembers(
  found: Set<Schema>,
  schema: Schema,
  innerOf: (schema: Schema) => readonly Schema[] = ({ members }) => members,
): Set<Schema> {
  if (found.has(schema)) return found;
  if (schema.error instanceof UnresolvableReference) throw schema.error;
  found.add(schema);
  for (const member of innerOf(schema)) addMembers(found, member, innerOf);
  return found;
}

/** Lists schemas, their members and the branches of their unions, at any depth. Throws where a reference leads nowhere. */
export const withBranches = (schemas: readonly Schema[]): readonly Schema[] => {
  const found = new Set<Schema>();
  const inner = ({ members, oneOf, anyOf }: Schema) => [...members, ...oneOf, ...anyOf];
  for (const schema of schemas) addMembers(found, schema, inner);
  return [...found];
};
