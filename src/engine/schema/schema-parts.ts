/** Takes schemas apart: a schema means itself and every member of its allOf, references followed. */

import type { OpenAPIV3 } from 'openapi-types';
import { fieldsOf, InvalidSchema, type SchemaFields } from './schema-fields';
import type { Schema, SchemaSource } from './shape';

/** A schema that is no reference. */
export type SchemaPart = OpenAPIV3.SchemaObject & SchemaFields & { readonly items?: Schema };

/** One oneOf or anyOf. */
interface Union {
  readonly branches: readonly Schema[];
  /** anyOf: several branches may hold at once. */
  readonly several: boolean;
}

/** Schemas that hold together. */
export interface SchemaParts {
  readonly parts: readonly SchemaPart[];
  /** The unions among them that no branch has been chosen of yet. */
  readonly unions: readonly Union[];
}

/** Follows references to the schema they mean; siblings of `$ref` are ignored (OAS 3.0.3, Reference Object). */
export function followReference(
  given: unknown,
  source: SchemaSource,
): { readonly schema: SchemaPart; readonly component: string | undefined } {
  const followed = new Set<string>();
  let schema = fieldsOf(given);
  let component: string | undefined;
  while (typeof schema['$ref'] === 'string') {
    const ref = schema['$ref'];
    if (followed.has(ref)) throw new InvalidSchema(`The reference "${ref}" leads back to itself.`);
    followed.add(ref);
    const target = source.resolve(ref);
    schema = fieldsOf(target.schema);
    component = target.component;
  }
  return { schema: schema as SchemaPart, component };
}

type Composing = 'allOf' | 'anyOf' | 'oneOf';

/** Adds a schema and all that it brings in by these keywords, each once, however the references run. */
export function addMembers(
  members: Set<SchemaPart>,
  given: unknown,
  source: SchemaSource,
  keywords: readonly Composing[] = ['allOf'],
): Set<SchemaPart> {
  const { schema } = followReference(given, source);
  if (members.has(schema)) return members;
  members.add(schema);
  for (const member of keywords.flatMap((keyword) => schema[keyword] ?? [])) {
    addMembers(members, member, source, keywords);
  }
  return members;
}

/** No schema: any value fits. */
export const noParts: SchemaParts = { parts: [], unions: [] };

/** Schemas together with more of them. */
export function withSchemas(
  { parts, unions }: SchemaParts,
  schemas: readonly unknown[],
  source: SchemaSource,
): SchemaParts {
  const all = new Set(parts);
  for (const schema of schemas) addMembers(all, schema, source);
  const added = [...all].slice(parts.length);
  return { parts: [...all], unions: [...unions, ...added.flatMap(unionsOf)] };
}

/** The unions that stand in a schema. */
const unionsOf = ({ oneOf = [], anyOf = [] }: SchemaPart): readonly Union[] =>
  [
    { branches: oneOf, several: false },
    { branches: anyOf, several: true },
  ].filter(({ branches }) => branches.length > 0);

/** The sets of branches to try, in order. Of anyOf first all together, because all that hold count. */
export function choicesOf(union: Union): readonly (readonly Schema[])[] {
  const single = union.branches.map((branch) => [branch]);
  return union.several && single.length > 1 ? [union.branches, ...single] : single;
}
