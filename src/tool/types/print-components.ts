/** The schemas that have names as exported types, one for each direction where the directions differ. */

import { groupBy } from '../../base/group-by';
import type { Operation } from '../../model/operation';
import type { Schema } from '../../model/schema';
import { SchemaView, viewOf } from '../../schema/schema-view';
import {
  branchesOf,
  type NamedSchema,
  type NamedSchemas,
  type TypeDirection,
  typeOf,
} from './named-schemas';
import { objectMembers, ownAlternatives, typeContext } from './print-schema';
import { block, docComment, member, quoteText, union } from './type-text';

/** The paths of the properties in a schema, through lists: `status`, `tags.name`. */
const defaultPaths = (schema: Schema | undefined, depth = 0): readonly string[] => {
  const view = viewOf(schema);
  const { required } = view;
  const members = view.values('properties').flatMap((properties) => [...properties]);
  const ofItems = view.values('items').flatMap((items) => defaultPaths(items, depth));
  const deepest = 4;
  const ofProperties = [...groupBy(members, ([name]) => name)].flatMap(([name, declared]) => {
    const given = declared.flatMap(([, property]) => viewOf(property).parts);
    const hasDefault = given.some((part) => part.default !== undefined);
    const inner =
      depth < deepest ? declared.flatMap(([, property]) => defaultPaths(property, depth + 1)) : [];
    return [
      ...(required.has(name) && hasDefault ? [name] : []),
      ...inner.map((path) => `${name}.${path}`),
    ];
  });
  return [...new Set([...ofItems, ...ofProperties])];
};

/** The member of the interface `Schemas` that has them by schemas and operations; none where there are no such properties. */
const printDefaults = (
  components: readonly (readonly [name: string, schema: Schema])[],
  operations: readonly Operation[],
): readonly string[] => {
  const bodies = operations.map(
    ({ operationId, requestBody }) => [operationId, requestBody?.content[0]?.schema] as const,
  );
  const members = [...components, ...bodies].flatMap(([name, schema]) => {
    const paths = defaultPaths(schema).map(quoteText);
    return paths.length === 0 ? [] : [member(name, union(paths), true)];
  });
  if (members.length === 0) return [];
  const comment = docComment(['Required properties with a default: demo data may leave them out.']);
  return [`${comment}${member('$defaults', block(members), true)}`];
};

/** The declarations of every schema that has a name. */
export const printComponents = (schemas: NamedSchemas): readonly string[] =>
  schemas.all.flatMap((named) => {
    const { request, response } = named.names;
    const directions =
      request === response ? (['request'] as const) : (['request', 'response'] as const);
    return directions.map((direction) => printDeclaration(named, direction, schemas));
  });

/** All component schemas by their names in the document, each with what requests and responses carry of it. */
export const printSchemas = ({ all }: NamedSchemas, operations: readonly Operation[]): string => {
  const components = all.flatMap(({ component, ...named }) =>
    component === undefined ? [] : [{ component, ...named }],
  );
  const members = components.map(({ component, names }) =>
    member(component, [...new Set([names.request, names.response])].join(' & '), true),
  );
  const bySchema = components.map(({ component, schema }) => [component, schema] as const);
  return `/** The component schemas as storage keeps them: every declared property. */
export interface Schemas ${block([...members, ...printDefaults(bySchema, operations)])}`;
};

const printDeclaration = (named: NamedSchema, direction: TypeDirection, schemas: NamedSchemas) => {
  const { schema, names } = named;
  const name = names[direction];
  const owner = schemas.bySchema.get(schema);
  const carried = names.request === names.response ? undefined : `As ${direction}s carry it.`;
  if (owner !== undefined && owner !== named) {
    return `${docComment([carried])}export type ${name} = ${owner.names[direction]};`;
  }
  const context = { ...typeContext(schemas, direction), open: [schema] };
  const comment = docComment([schema.description, carried]);
  const isPlainObject =
    typeOf(new SchemaView([schema])) === 'object' &&
    (schema.types?.length ?? 1) === 1 &&
    !schema.enum &&
    branchesOf(schema).length === 0;
  if (isPlainObject) {
    return `${comment}export interface ${name} ${block(objectMembers(schema, context))}`;
  }
  // Branches alone, without members, may lead back to the schema.
  const branches = new Set(branchesOf(schema));
  for (const branch of branches) for (const inner of branchesOf(branch)) branches.add(inner);
  const type = branches.has(schema)
    ? 'unknown /* refers to nothing but itself */'
    : union(ownAlternatives(schema, context));
  return `${comment}export type ${name} = ${type};`;
};
