/** The component schemas as exported types, one for each direction where the directions differ. */

import type { OpenAPIV3 } from 'openapi-types';
import { groupBy } from '../../src/base/group-by';
import type { Operation } from '../../src/engine';
import { objectMembers, printSchema } from './print-schema';
import {
  allParts,
  branchesOf,
  type Direction,
  differsByDirection,
  isReference,
  type NamedSchemas,
  type Schema,
  type SchemaSource,
  schemaContext,
  typeOf,
} from './schema-source';
import { pascalCase } from './type-names';
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

/** Names the component schemas: `User`, and `UserResponse` where responses carry less or more than requests. */
export const nameSchemas = (
  source: SchemaSource,
  chooseName: (wanted: string) => string,
): NamedSchemas => {
  const elsewhere = [...(source.elsewhere ?? [])];
  const all = [...source.components, ...elsewhere];
  const requests = new Map([
    ...[...source.components.keys()].map((name) => [name, chooseName(name)] as const),
    ...elsewhere.map(([ref]) => [ref, chooseName(nameOfPlace(ref))] as const),
  ]);
  const responses = new Map(
    all
      .filter(([, schema]) => differsByDirection(schema, source))
      .map(([name]) => [name, chooseName(`${requests.get(name)}Response`)]),
  );
  return {
    ...source,
    nameOf(place, direction) {
      return (direction === 'response' ? responses.get(place) : undefined) ?? requests.get(place);
    },
  };
};

/** `PetPropertiesTag` for `#/components/schemas/Pet/properties/tag`. */
const nameOfPlace = (ref: string): string =>
  pascalCase(ref.replace(/^#\/(?:components\/\w+\/)?/, '').replaceAll(/~[01]/g, ' '));

/** The declarations of every component schema, in the document's order, and of those elsewhere. */
export const printComponents = (schemas: NamedSchemas): readonly string[] =>
  [...schemas.components, ...(schemas.elsewhere ?? [])].flatMap(([component, schema]) => {
    const request = printDeclaration(component, schema, 'request', schemas);
    const response = printDeclaration(component, schema, 'response', schemas);
    return nameIn('response', component, schemas) === nameIn('request', component, schemas)
      ? [request]
      : [request, response];
  });

/** All component schemas by their names in the document, each with what requests and responses carry of it. */
export const printSchemas = (
  schemas: NamedSchemas,
  operations: readonly Operation[] = [],
): string => {
  const members = [...schemas.components.keys()].map((component) => {
    const names = [nameIn('request', component, schemas), nameIn('response', component, schemas)];
    return member(component, [...new Set(names)].join(' & '), true);
  });
  return `/** The component schemas as storage keeps them: every declared property. */
export interface Schemas ${block([...members, ...printDefaults(schemas, operations)])}`;
};

const nameIn = (direction: Direction, component: string, schemas: NamedSchemas): string =>
  schemas.nameOf(component, direction) ?? component;

const printDeclaration = (
  component: string,
  schema: Schema,
  direction: Direction,
  schemas: NamedSchemas,
): string => {
  const context = schemaContext(schemas, direction);
  const name = nameIn(direction, component, schemas);
  const comment = docComment([describe(schema), describeDirection(component, direction, schemas)]);
  if (isPlainObject(schema)) {
    return `${comment}export interface ${name} ${block(objectMembers(schema, context))}`;
  }
  const type = isCircular(schema, schemas)
    ? 'unknown /* refers to nothing but itself */'
    : printSchema(schema, context);
  return `${comment}export type ${name} = ${type};`;
};

const describe = (schema: Schema): string | undefined =>
  isReference(schema) ? undefined : schema.description;

const describeDirection = (
  component: string,
  direction: Direction,
  schemas: NamedSchemas,
): string | undefined => {
  const isOneType =
    nameIn('response', component, schemas) === nameIn('request', component, schemas);
  if (isOneType) return undefined;
  return direction === 'response' ? 'As responses carry it.' : 'As requests carry it.';
};

const isPlainObject = (schema: Schema): schema is OpenAPIV3.SchemaObject =>
  !isReference(schema) &&
  typeOf([schema]) === 'object' &&
  !schema.nullable &&
  !schema.enum &&
  branchesOf(schema).length === 0;

/** Tells whether references and branches alone, without members, lead back to the schema. */
const isCircular = (schema: Schema, source: SchemaSource): boolean => {
  const comesBack = (given: Schema, open: readonly Schema[]): boolean => {
    if (open.includes(given)) return true;
    const next = isReference(given) ? [source.resolve(given.$ref)] : branchesOf(given);
    return next.some((branch) => branch !== undefined && comesBack(branch, [...open, given]));
  };
  return comesBack(schema, []);
};
