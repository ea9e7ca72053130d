/** Gives storage what it needs of a document's schemas: how an item is written, which values a field may have, which fields are missing. */

import { errorMessage } from '../base/error-message';
import { memoize } from '../base/memoize';
import { nearestName } from '../base/text/nearest-name';
import { type ApiDocument, parseApiDocument, type SchemaContext } from '../engine';
import { type Schema, schemaOf } from '../model/schema';
import { strictView } from '../schema/schema-view';
import { memberShape, type Shape } from '../schema/shape';
import { type CollectionSchema, UnusableSchema } from '../storage/collections/item-schema';
import type { CollectionDeclaration } from '../storage/collections/register-collections';
import type { SortKind } from '../storage/collections/sort-keys';
import type { ViewType } from '../storage/tables/views';
import { type ItemOptions, textCodec } from './item-codec';

/** Gives the values that the `enum` at a path lists, through lists and members; null is not counted. */
const valuesAt = (schema: Schema, path: readonly string[]): readonly string[] => {
  const [name, ...rest] = path;
  return strictView(schema).parts.flatMap(
    ({ prefixItems, items, properties, enum: values = [] }) => {
      const elements = [...prefixItems, ...(items ? [items] : [])];
      if (elements.length > 0) return elements.flatMap((element) => valuesAt(element, path));
      if (name === undefined) return values.filter((value) => value !== null).map(String);
      const property = properties?.get(name);
      return property === undefined ? [] : valuesAt(property, rest);
    },
  );
};

/** The declaration of users who are stored with nothing but their names. */
export const plainUsers: CollectionDeclaration = {};

const plainUser = schemaOf({
  types: ['object'],
  properties: new Map([
    ['id', schemaOf({ types: ['integer'], format: 'int64' })],
    ['username', schemaOf({ types: ['string'] })],
  ]),
});

/** Finds the schema that a declaration names; throws UnusableSchema. */
export const declaredSchema = (
  document: ApiDocument,
  { schema, body }: CollectionDeclaration,
): Schema => {
  if (typeof schema === 'object') {
    throw new UnusableSchema('The schema of users must be one of the document.');
  }
  const { schemas, operations } = document;
  if (schema === undefined && body === undefined) return plainUser;
  const declared =
    schema === undefined
      ? operations.find(({ operationId }) => operationId === body)?.requestBody?.content[0]?.schema
      : schemas.get(schema);
  if (declared !== undefined) return declared;
  const what = schema === undefined ? `operation ${body} with a body` : `schema ${schema}`;
  const known =
    schema === undefined
      ? operations.flatMap(({ operationId, requestBody }) => (requestBody ? [operationId] : []))
      : [...schemas.keys()];
  const meant = nearestName(schema ?? body ?? '', known);
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new UnusableSchema(`The document has no ${what}.${advice}`);
};

const componentName = 'Stored';

/**
 * Reads a schema that a service declares itself, in the version of its document.
 * @throws UnusableSchema saying what is wrong with it
 */
const readOwnSchema = ({ definition: { openapi } }: ApiDocument, own: object) => {
  const info = { title: componentName, version: '1' };
  const components = { schemas: { [componentName]: own } };
  try {
    const text = JSON.stringify({ openapi, info, paths: {}, components });
    const document = parseApiDocument('collections', text);
    const wrong = document.diagnostics.find(({ severity }) => severity === 'error');
    if (wrong !== undefined) {
      const place = wrong.pointer.replace(/^.*\/Stored/, '') || '/';
      throw new UnusableSchema(`${place}: ${wrong.message}`);
    }
    const schema = document.schemas.get(componentName);
    if (schema === undefined) throw new UnusableSchema('The schema is no Schema Object.');
    return { document, schema };
  } catch (error) {
    throw error instanceof UnusableSchema ? error : new UnusableSchema(errorMessage(error));
  }
};

/** Gives the index by which a field is sorted: of objects alone, since an item has one place in an order; undefined without such a field. */
const findSortKind = (shape: Shape, [name, ...rest]: readonly string[]): SortKind | undefined => {
  if (name !== undefined) {
    const property = memberShape(shape, name);
    return property && findSortKind(property, rest);
  }
  if (shape.type === 'array' || shape.type === 'object') return undefined;
  if (shape.type === 'number' || shape.type === 'integer') return 'sort-number';
  return shape.type === 'string' && shape.format === 'date-time' ? 'sort-date-time' : 'sort';
};

/** Gives the type of a property's column; undefined where its values are no scalars. */
const columnType = ({ type, format }: Shape): ViewType | undefined => {
  if (format === 'decimal') return type === 'number' ? 'decimal' : 'text';
  if (type === 'string') return format === 'date-time' ? 'time' : 'text';
  return type === 'boolean' || type === 'integer' || type === 'number' ? type : undefined;
};

const hasField = (shape: Shape, path: readonly string[]): boolean => {
  const elements = [...shape.prefixItems, ...(shape.items ? [shape.items] : [])];
  if (elements.length > 0) return elements.some((element) => hasField(element, path));
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const property = memberShape(shape, name);
  return property !== undefined && hasField(property, rest);
};

/**
 * Finds the schemas of a document that a service's collections and users are declared by. What it returns throws
 * UnusableSchema; it takes what is called for each invalid item that is read.
 */
export const itemSchemas = (
  document: ApiDocument,
  context: SchemaContext,
  options: ItemOptions = {},
) => {
  const readOwn = memoize((own: object) => readOwnSchema(document, own));
  return (declaration: CollectionDeclaration, onInvalid?: () => void): CollectionSchema<object> => {
    // No response is validated that would carry it, so that it is whenever it is stored.
    const { schema, validateResponses, ...found } =
      typeof declaration.schema === 'object'
        ? { ...readOwn(declaration.schema), validateResponses: true }
        : {
            document,
            schema: declaredSchema(document, declaration),
            validateResponses: options.validateResponses ?? false,
          };
    try {
      const shape = context.shapeOf(schema);
      const id = shape.properties.get('id');
      const { lookups = [], counts = [], sorts = [], files } = declaration;
      const sortKind = (path: string) => findSortKind(shape, path.split('.'));
      return {
        codec: textCodec(schema, found.document, context, {
          ...options,
          validateResponses,
          files: Boolean(files),
          onInvalid,
          direction: declaration.schema === undefined ? 'request' : 'response',
        }),
        hasId: id?.type === 'integer' && id.format === 'int64',
        hasTextId: id?.type === 'string',
        declaredValues: (path) => valuesAt(schema, path.split('.')),
        sortKind: (path) => sortKind(path) ?? 'sort',
        columns: () =>
          new Map(
            [...shape.properties].flatMap(([name, property]) => {
              const type =
                name === 'id' && property.type === 'integer' ? undefined : columnType(property);
              return type === undefined ? [] : [[name, type] as const];
            }),
          ),
        missingFields: [
          ...[...new Set([...lookups, ...counts])].filter(
            (path) => !hasField(shape, path.split('.')),
          ),
          ...sorts.filter((path) => sortKind(path) === undefined),
        ],
      };
    } catch (error) {
      throw new UnusableSchema(errorMessage(error));
    }
  };
};
