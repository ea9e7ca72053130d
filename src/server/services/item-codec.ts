/** Writes the items of a schema as the JSON text that is stored, and brings what is stored into today's form. */

import { createHash } from 'node:crypto';
import type { OpenAPIV3 } from 'openapi-types';
import {
  type ApiDocument,
  errorMessage,
  jsonWriter,
  type SchemaContext,
  type SerializedJson,
  serialized,
  serializedItems,
  serializedJsonReader,
  writeJson,
} from '../../engine';
import { type FileUrl, fileAddresses } from '../../storage/collections/attached-files';
import type { BroughtText, TextCodec } from '../../storage/collections/lists/item-pages';
import { UnfitItem } from '../../storage/collections/unusable-collection';

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

/** Throws UnfitItem where a value is not what a response may carry. */
const requireFitting =
  (validate: (value: unknown) => readonly { readonly path: string; readonly message: string }[]) =>
  (value: object): void => {
    const [error] = validate(value);
    if (error === undefined) return;
    throw new UnfitItem(`Nothing is stored: the item's ${error.path} ${error.message}`);
  };

/** The settings by which items are stored, checked and shown. */
export interface ItemOptions {
  /** Refuses to store what responses may not carry. */
  readonly validateResponses?: boolean;
  /** Gives the address of a file. */
  readonly fileUrl?: FileUrl;
  /** Stores the addresses of files in a short form; both forms are read in any case. */
  readonly files?: boolean | undefined;
  /** The direction in which items travel; `response` by default. */
  readonly direction?: 'request' | 'response';
  /** Keeps items that do not fit the schema in lists, as they are. */
  readonly listsMisfits?: boolean;
}

const asItIs = (text: string): string => text;

/** Turns the addresses of files into what is stored, where the collection has files, and back. */
const addressForms = ({ fileUrl, files = false }: ItemOptions) => {
  const { toStored, toServed } = (fileUrl && fileAddresses(fileUrl)) ?? {
    toStored: asItIs,
    toServed: asItIs,
  };
  return { toStored: files ? toStored : asItIs, toServed };
};

/**
 * Makes the codec of a schema; undeclared properties are not stored. An item of another version of the document keeps properties that
 * are declared no longer, though responses leave them out, until it is changed: taking a property out of a document by mistake loses
 * nothing.
 */
export const textCodec = (
  schema: Schema,
  document: ApiDocument,
  { shapeOf, validators }: SchemaContext,
  options: ItemOptions = {},
): TextCodec<object> => {
  const { validateResponses = false, direction = 'response', listsMisfits = false } = options;
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
  const { toStored, toServed } = addressForms(options);
  const check = validateResponses ? requireFitting(validate) : undefined;
  const bringReadable = (text: string): BroughtText => {
    const filled = readFilled(toServed(text));
    const current = write(filled);
    const problems = validate(read(current));
    if (problems.length > 0) return { document: text, format: misfit, problems };
    const complete = writeAll(filled);
    return {
      document: toStored(complete),
      format: complete === current ? format : surplus,
      problems,
    };
  };
  // No text and no schema keeps the others from being read.
  const bring = (text: string): BroughtText => {
    try {
      return bringReadable(text);
    } catch (error) {
      const message = `cannot be read: ${errorMessage(error)}`;
      return { document: text, format: misfit, problems: [{ path: '', message }] };
    }
  };
  const fits = (text: string, writtenIn: string): boolean =>
    writtenIn === surplus || (writtenIn !== misfit && bring(text).format !== misfit);

  const current = (text: string, writtenIn: string): SerializedJson<object> | undefined => {
    if (writtenIn === format) return serialized(shape, toServed(text), readItem);
    if (!fits(text, writtenIn)) return undefined;
    return serialized(shape, write(readFilled(toServed(text))), readItem);
  };
  return {
    format,
    misfit,
    read: (text) => readItem(toServed(text)),
    readCurrent: (text) => readItem(write(readFilled(toServed(text)))),
    write,
    store(value) {
      const text = write(value);
      check?.(readItem(text));
      return toStored(text);
    },
    bring,
    serialized: current,
    listed: (text, writtenIn) =>
      current(text, writtenIn) ??
      (listsMisfits ? serialized(shape, toServed(text), readItem) : undefined),
    serializedItems: (texts) => serializedItems(shape, toServed(texts), readAll),
  };
};
