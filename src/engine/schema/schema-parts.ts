/** Takes schemas apart without trusting their types: keywords, references, and the members of allOf and unions. */

import type { OpenAPIV3 } from 'openapi-types';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { Schema, SchemaSource } from './shape';

interface InvalidSchemaOptions {
  /** The keyword that is wrong. */
  readonly keyword?: string;
  /** A sentence about the probable meaning. */
  readonly advice?: string;
}

/** A schema that cannot be enforced, so that a wrong rule is never silently left out. The message says why. */
export class InvalidSchema extends Error {
  readonly keyword: string | undefined;
  readonly advice: string | undefined;

  constructor(message: string, { keyword, advice }: InvalidSchemaOptions = {}) {
    super(message);
    this.name = 'InvalidSchema';
    this.keyword = keyword;
    this.advice = advice;
  }
}

/** A Schema Object as it stands in the document. */
export type SchemaFields = Readonly<PlainObject>;

/** Returns the schema's keywords; throws InvalidSchema where it is not a map. */
export const fieldsOf = (schema: unknown): SchemaFields => {
  if (isPlainObject(schema)) return schema;
  throw new InvalidSchema('A schema must be an object.');
};

/** Reads a keyword that is a number, if it is given; exact beyond 2^53 where the document was read so. */
export const readNumber = (schema: SchemaFields, keyword: string): number | bigint | undefined => {
  const value = schema[keyword];
  if (value === undefined || typeof value === 'number' || typeof value === 'bigint') return value;
  throw new InvalidSchema(`The keyword "${keyword}" must be a number.`, { keyword });
};

/** Reads a keyword that counts something, if it is given. */
export const readCount = (schema: SchemaFields, keyword: string): number | undefined => {
  const value = readNumber(schema, keyword);
  if (value === undefined) return undefined;
  if (value >= 0 && Number.isInteger(Number(value))) return Number(value);
  throw new InvalidSchema(`The keyword "${keyword}" must be a whole number, 0 or greater.`, {
    keyword,
  });
};

/** Reads a keyword that is true or false; false where it is not given. */
export const readFlag = (schema: SchemaFields, keyword: string): boolean => {
  const value = schema[keyword] ?? false;
  if (typeof value === 'boolean') return value;
  throw new InvalidSchema(`The keyword "${keyword}" must be true or false.`, { keyword });
};

/** Reads a keyword that is text, if it is given. */
export const readText = (schema: SchemaFields, keyword: string): string | undefined => {
  const value = schema[keyword];
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidSchema(`The keyword "${keyword}" must be a string.`, { keyword });
};

/** Reads a keyword that is a list of at least one entry, if it is given. */
export const readList = (schema: SchemaFields, keyword: string): readonly unknown[] | undefined => {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length > 0) return value;
  throw new InvalidSchema(`The keyword "${keyword}" must be a list that is not empty.`, {
    keyword,
  });
};

/** A schema that is no reference. */
export type SchemaPart = OpenAPIV3.SchemaObject & SchemaFields & { readonly items?: Schema };

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
  const schema = fieldsOf(given);
  if (typeof schema['$ref'] !== 'string') {
    return { schema: schema as SchemaPart, component: undefined };
  }
  const target = source.resolve(schema['$ref']);
  return { schema: fieldsOf(target.schema) as SchemaPart, component: target.component };
}

type Composing = 'allOf' | 'anyOf' | 'oneOf';

/** Adds a schema and all its members by these keywords, each once, however the references run. */
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

/** Adds schemas to those that hold together. */
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

/** Lists the schemas and unions that a value of all these schemas must fit. */
export const partsOf = (schemas: readonly unknown[], source: SchemaSource): SchemaParts =>
  withSchemas({ parts: [], unions: [] }, schemas, source);

const unionsOf = ({ oneOf = [], anyOf = [] }: SchemaPart): readonly Union[] =>
  [
    { branches: oneOf, several: false },
    { branches: anyOf, several: true },
  ].filter(({ branches }) => branches.length > 0);

/** Lists the sets of branches to try, in order. Of anyOf first all together, because all that hold count. */
export function branchSets(union: Union): readonly (readonly Schema[])[] {
  const single = union.branches.map((branch) => [branch]);
  return union.several && single.length > 1 ? [union.branches, ...single] : single;
}
