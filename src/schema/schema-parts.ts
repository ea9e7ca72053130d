/** Schemas that hold together: the members of each, and the unions among them. */

import { type Schema, UnresolvableReference } from '../model/schema';

interface Union {
  readonly branches: readonly Schema[];
}

/** Schemas that hold together. */
export interface SchemaParts {
  readonly parts: readonly Schema[];
  /** The unions among them that no branch has been chosen of yet. */
  readonly unions: readonly Union[];
}

const membersOf = ({ members }: Schema): readonly Schema[] => members;

/**
 * Adds a schema and those that hold together with it, at any depth, each once. Throws where a reference leads nowhere.
 * @param innerOf gives the schemas that a schema adds; its members by default
 */
export function addMembers(
  found: Set<Schema>,
  schema: Schema,
  innerOf: (schema: Schema) => readonly Schema[] = membersOf,
): Set<Schema> {
  if (found.has(schema)) return found;
  if (schema.error instanceof UnresolvableReference) throw schema.error;
  found.add(schema);
  for (const member of innerOf(schema)) addMembers(found, member, innerOf);
  return found;
}

/** Adds schemas to those that hold together. */
export function withSchemas(
  { parts, unions }: SchemaParts,
  schemas: readonly Schema[],
): SchemaParts {
  const all = new Set(parts);
  for (const schema of schemas) addMembers(all, schema);
  const added = [...all].slice(parts.length);
  return { parts: [...all], unions: [...unions, ...added.flatMap(unionsOf)] };
}

/** Lists the schemas and unions that a value of all these schemas must fit. */
export const partsOf = (schemas: readonly Schema[]): SchemaParts =>
  withSchemas({ parts: [], unions: [] }, schemas);

const unionsOf = ({ oneOf, anyOf }: Schema): readonly Union[] =>
  [{ branches: oneOf }, { branches: anyOf }].filter(({ branches }) => branches.length > 0);
