/** Gives storage what it needs of a document's schemas: how an item is written as JSON text, and which values a field may have. */

import { createHash } from 'node:crypto';
import type { OpenAPIV3 } from 'openapi-types';
import {
  type ApiDocument,
  jsonWriter,
  nearestName,
  type SchemaContext,
  type SerializedJson,
  type Shape,
  serialized,
  serializedItems,
  serializedJsonReader,
  writeJson,
} from '../../engine';
import type { CollectionSchema } from '../storage/collections/collection';
import type { BroughtText, TextCodec } from '../storage/collections/lists/item-pages';
import type { CollectionDeclaration } from '../storage/collections/register-collections';
import { UnusableSchema } from '../storage/collections/unusable-collection';

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;

/** Changes with what the writer makes of the same value under the same schema. */
const writerVersion = 1;

/** The same for schemas that say the same, with all that they may refer to. */
const formatOf = (schema: Schema, { definition }: ApiDocument): string => {
  const inline = '$ref' in schema ? [] : [schema];
  return createHash('sha256')
    .update(writeJson([writerVersion, definition.components?.schemas, ...inline]))
    .digest('base64url');
};

/** How stored items are checked and shown. */
interface CodecOptions {
  /** Which way items travel; `response` by default. */
  readonly direction?: 'request' | 'response';
  /** Whether lists have items that do not fit the schema, as they are. */
  readonly listsMisfits?: boolean;
}

/**
 * The codec of a schema; undeclared properties are not stored. What another version of the document had stored keeps those that
 * are declared no longer, though nobody sees them, until it is changed: taking a property out of a document by mistake loses
 * nothing.
 */
export const textCodec = (
  schema: Schema,
  document: ApiDocument,
  { shapeOf, validators }: SchemaContext,
  { direction = 'response', listsMisfits = false }: CodecOptions = {},
): TextCodec<object> => {
  const shape = shapeOf(schema);
  const { read, readFilled, readItems } = serializedJsonReader(shape);
  const write = jsonWriter(shape, 'storage', 'dropped');
  const writeAll = jsonWriter(shape, 'storage');
  const validate = validators.validatorOf(schema, direction);
  const format = formatOf(schema, document);
  // In place of the format: fits but for properties that are to be left out; does not fit.
  const [surplus, misfit] = [`~${format}`, `!${format}`];
  // Only texts of this schema are ever read.
  const readItem = read as (text: string) => object;
  const readAll = readItems as (texts: string) => object[];
  const bringReadable = (text: string): BroughtText => {
    const filled = readFilled(text);
    const current = write(filled);
    const problems = validate(read(current));
    if (problems.length > 0) return { document: text, format: misfit, problems };
    const complete = writeAll(filled);
    return { document: complete, format: complete === current ? format : surplus, problems };
  };
  // No text and no schema keeps the others from being read.
  const bring = (text: string): BroughtText => {
    try {
      return bringReadable(text);
    } catch (error) {
      const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      return { document: text, format: misfit, problems: [{ path: '', message }] };
    }
  };
  const fits = (text: string, writtenIn: string): boolean =>
    writtenIn === surplus || (writtenIn !== misfit && bring(text).format !== misfit);

  const current = (text: string, writtenIn: string): SerializedJson<object> | undefined => {
    if (writtenIn === format) return serialized(shape, text, readItem);
    if (!fits(text, writtenIn)) return undefined;
    return serialized(shape, write(readFilled(text)), readItem);
  };
  return {
    format,
    misfit,
    read: readItem,
    readCurrent: (text) => readItem(write(readFilled(text))),
    write,
    bring,
    serialized: current,
    listed: (text, writtenIn) =>
      current(text, writtenIn) ?? (listsMisfits ? serialized(shape, text, readItem) : undefined),
    serializedItems: (texts) => serializedItems(shape, texts, readAll),
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
  (document: ApiDocument, context: SchemaContext, listsMisfits = false) =>
  (declaration: CollectionDeclaration): CollectionSchema<object> => {
    const schema = declaredSchema(document, declaration);
    try {
      const shape = context.shapeOf(schema);
      const id = shape.properties.get('id');
      const { lookups = [], counts = [] } = declaration;
      return {
        codec: textCodec(schema, document, context, {
          direction: declaration.schema === undefined ? 'request' : 'response',
          listsMisfits,
        }),
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
