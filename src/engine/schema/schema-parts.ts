/** Takes schemas apart: a schema means itself and every member of its allOf, references followed. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Schema, ShapeSource } from './shape';

/** A schema that is no reference. */
export type SchemaPart = OpenAPIV3.SchemaObject;

/** One oneOf or anyOf. */
export interface Union {
  readonly branches: readonly Schema[];
  /** anyOf: several branches may hold at once. */
  readonly several: boolean;
}

/** Follows references to the schema they mean; siblings of `$ref` are ignored (OAS 3.0.3, Reference Object). */
export function followReference(
  schema: Schema,
  source: ShapeSource,
): { readonly schema: SchemaPart; readonly component: string | undefined } {
  const followed = new Set<string>();
  let current = schema;
  let component: string | undefined;
  while ('$ref' in current) {
    if (followed.has(current.$ref)) throw new Error(`${current.$ref} refers to itself`);
    followed.add(current.$ref);
    const target = source.resolve(current.$ref);
    current = target.schema;
    component = target.component;
  }
  return { schema: current, component };
}

/** Adds a schema and the members of its allOf to `parts`; what is there already is not added again. */
export function addParts(parts: Set<SchemaPart>, schema: Schema, source: ShapeSource): void {
  const part = followReference(schema, source).schema;
  if (parts.has(part)) return;
  parts.add(part);
  for (const member of part.allOf ?? []) addParts(parts, member, source);
}

/** The unions that stand in some parts. */
export function unionsOf(parts: Iterable<SchemaPart>): readonly Union[] {
  const unions: Union[] = [];
  for (const { oneOf, anyOf } of parts) {
    if (oneOf?.length) unions.push({ branches: oneOf, several: false });
    if (anyOf?.length) unions.push({ branches: anyOf, several: true });
  }
  return unions;
}

/** The sets of branches to try, in order. Of anyOf first all together, because all that hold count. */
export function choicesOf(union: Union): readonly (readonly Schema[])[] {
  const single = union.branches.map((branch) => [branch]);
  return union.several && single.length > 1 ? [union.branches, ...single] : single;
}
