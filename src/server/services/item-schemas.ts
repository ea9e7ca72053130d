/** Gives storage what it needs of a document's schemas: how an item is written as JSON text, and which values a field may have. */

import { createHash } from 'node:crypto';
import type { OpenAPIV3 } from 'openapi-types';
import {
  type ApiDocument,
  jsonWriter,
  nearestName,
  type SchemaContext,
  type Shape,
  serialized,
  serializedItems,
  serializedJsonReader,
  writeJson,
} from '../../engine';
import { type FileUrl, fileAddresses } from '../storage/collections/attached-files';
import type { CollectionSchema } from '../storage/collections/collection';
import type { TextCodec } from '../storage/collections/lists/item-pages';
import type { CollectionDeclaration } from '../storage/collections/register-collections';
import { UnfitItem, UnusableSchema } from '../storage/collections/unusable-collection';

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;

/** Changes with what the writer makes of the same value under the same schema. */
const writerVersion = 1;

/** The same for documents that describe the same schemas, whatever else they say. */
const formatOf = ({ definition }: ApiDocument): string =>
  createHash('sha256')
    .update(writeJson([writerVersion, definition.components?.schemas]))
    .digest('base64url');

/** Throws UnfitItem where a value is not what a response may carry. */
const requireFitting = (schema: Schema, { validators }: SchemaContext) => {
  const validate = validators.validatorOf(schema, 'response');
  return (value: object): void => {
    const [error] = validate(value);
    if (error === undefined) return;
    throw new UnfitItem(`Nothing is stored: the item's ${error.path} ${error.message}`);
  };
};

/** How items are stored. */
export interface ItemOptions {
  /** Whether nothing is stored that responses may not carry. */
  readonly validateResponses?: boolean;
  /** Where files are given back. */
  readonly fileUrl?: FileUrl;
  /** Whether the addresses of files are stored in a form of their own; they are read in any case. */
  readonly files?: boolean | undefined;
}

const asItIs = (text: string): string => text;

/** The codec of a schema; undeclared properties are not stored. */
export const textCodec = (
  schema: Schema,
  document: ApiDocument,
  context: SchemaContext,
  { validateResponses = false, fileUrl, files = false }: ItemOptions = {},
): TextCodec<object> => {
  const { shapeOf } = context;
  const shape = shapeOf(schema);
  const { read, readItems } = serializedJsonReader(shape);
  const write = jsonWriter(shape, 'storage', 'dropped');
  const format = formatOf(document);
  // Only texts of this schema are ever read.
  const readItem = read as (text: string) => object;
  const readAll = readItems as (texts: string) => object[];
  const addresses = fileUrl && fileAddresses(fileUrl);
  const { toStored, toServed } = addresses ?? { toStored: asItIs, toServed: asItIs };
  const readStored = (text: string): object => readItem(toServed(text));
  const check = validateResponses ? requireFitting(schema, context) : undefined;
  return {
    format,
    read: readStored,
    write,
    store(value) {
      const text = write(value);
      check?.(readItem(text));
      return files ? toStored(text) : text;
    },
    serialized(text, writtenIn) {
      const current = writtenIn === format ? toServed(text) : write(readStored(text));
      return serialized(shape, current, readItem);
    },
    serializedItems: (texts) => serializedItems(shape, toServed(texts), readAll),
  };
};

/** The values that the `enum` at a path lists, through references, lists and allOf. */
const valuesAt = (
  given: Schema,
  path: readonly string[],
  references: ApiDocument['references'],
): readonly string[] => {
  const schema = references.follow<OpenAPIV3.SchemaObject>(given);
  if ('items' in schema) return valuesAt(schema.items, path, references);
  const { allOf = [], properties = {}, enum: values = [] } = schema;
  const [name, ...rest] = path;
  const property = name === undefined ? undefined : properties[name];
  return [
    ...(name === undefined ? values.map(String) : []),
    ...(property === undefined ? [] : valuesAt(property, rest, references)),
    ...allOf.flatMap((part) => valuesAt(part, path, references)),
  ];
};

/** The schema that a declaration names; throws UnusableSchema. */
export const declaredSchema = (
  document: ApiDocument,
  { schema, body }: CollectionDeclaration,
): Schema => {
  const { definition, operations } = document;
  const declared =
    schema === undefined
      ? operations.find(({ operationId }) => operationId === body)?.requestBody?.content[0]?.schema
      : definition.components?.schemas?.[schema] && { $ref: `#/components/schemas/${schema}` };
  if (declared !== undefined) return declared;
  throw new UnusableSchema(missingSchema(document, schema, body));
};

/** Says what is missing, and what may have been meant. */
const missingSchema = (
  { definition, operations }: ApiDocument,
  schema: string | undefined,
  body: string | undefined,
): string => {
  const what = schema === undefined ? `operation ${body} with a body` : `schema ${schema}`;
  const known =
    schema === undefined
      ? operations.flatMap(({ operationId, requestBody }) => (requestBody ? [operationId] : []))
      : Object.keys(definition.components?.schemas ?? {});
  const meant = nearestName(schema ?? body ?? '', known);
  return `The document has no ${what}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
};

/** Whether the schema has a field at a path, through lists. */
const hasField = (shape: Shape, [name, ...rest]: readonly string[]): boolean => {
  if (shape.items) return hasField(shape.items, name === undefined ? [] : [name, ...rest]);
  if (name === undefined) return true;
  const property =
    shape.properties.get(name) ??
    (typeof shape.additional === 'object' ? shape.additional : undefined);
  return property !== undefined && hasField(property, rest);
};

/**
 * Finds the schemas of a document that a service's collections and users are declared by. What it returns throws
 * UnusableSchema.
 */
export const itemSchemas =
  (document: ApiDocument, context: SchemaContext, options: ItemOptions = {}) =>
  (declaration: CollectionDeclaration): CollectionSchema<object> => {
    const schema = declaredSchema(document, declaration);
    try {
      const shape = context.shapeOf(schema);
      const id = shape.properties.get('id');
      const { lookups = [], counts = [], files } = declaration;
      return {
        codec: textCodec(schema, document, context, { ...options, files }),
        hasId: id?.type === 'integer' && id.format === 'int64',
        declaredValues: (path) => valuesAt(schema, path.split('.'), document.references),
        missingFields: [...new Set([...lookups, ...counts])].filter(
          (path) => !hasField(shape, path.split('.')),
        ),
      };
    } catch (error) {
      throw new UnusableSchema(error instanceof Error ? error.message : String(error));
    }
  };
