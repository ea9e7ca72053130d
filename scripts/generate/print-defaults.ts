/** The required properties with a default, as types: demo data may leave them out. */

import { groupBy, type Operation } from '../../src/engine';
import { allParts } from './schema-parts';
import type { Schema, SchemaSource } from './schema-source';
import { block, docComment, member, quoteText, union } from './type-text';

/** Deeper properties are not looked at: schemas may contain themselves. */
const deepest = 4;

/** The paths of the properties in a schema, through lists: `status`, `tags.name`. */
const defaultPaths = (
  schema: Schema | undefined,
  source: SchemaSource,
  depth = 0,
): readonly string[] => {
  const parts = allParts(schema, source);
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const members = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  const ofItems = parts.flatMap((part) =>
    'items' in part ? defaultPaths(part.items, source, depth) : [],
  );
  const ofProperties = [...groupBy(members, ([name]) => name)].flatMap(([name, declared]) => {
    const given = declared.flatMap(([, property]) => allParts(property, source));
    const hasDefault = given.some((part) => part.default !== undefined);
    const inner =
      depth < deepest
        ? declared.flatMap(([, property]) => defaultPaths(property, source, depth + 1))
        : [];
    return [
      ...(required.has(name) && hasDefault ? [name] : []),
      ...inner.map((path) => `${name}.${path}`),
    ];
  });
  return [...new Set([...ofItems, ...ofProperties])];
};

/** The member of the interface `Schemas` that has them by schemas and operations; none where there are no such properties. */
export const printDefaults = (
  source: SchemaSource,
  operations: readonly Operation[],
): readonly string[] => {
  const bodies = operations.map(
    ({ operationId, requestBody }) => [operationId, requestBody?.content[0]?.schema] as const,
  );
  const members = [...source.components, ...bodies].flatMap(([name, schema]) => {
    const paths = defaultPaths(schema, source).map(quoteText);
    return paths.length === 0 ? [] : [member(name, union(paths), true)];
  });
  if (members.length === 0) return [];
  const comment = docComment(['Required properties with a default: demo data may leave them out.']);
  return [`${comment}${member('$defaults', block(members), true)}`];
};
