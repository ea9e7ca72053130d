/** Writes the items of a schema as the JSON text that is stored, and converts what an earlier document stored. */

import { hash } from 'node:crypto';
import { errorMessage } from '../base/error-message';
import { lazy } from '../base/memoize';
import { schemaTexts } from '../document/document-texts';
import { type ApiDocument, type SchemaContext, type SerializedJson, storedJson } from '../engine';
import type { Schema } from '../model/schema';
import { shapesIn } from '../schema/shape';
import { addressMark, type FileUrl, fileId } from '../storage/collections/attached-files';
import {
  type ConvertedText,
  InvalidItem,
  type TextCodec,
} from '../storage/collections/item-schema';

/** Changes with what the writer makes of the same value under the same schema. */
const writerVersion = 1;

/** The settings by which items are stored, checked and shown. */
export interface ItemOptions {
  readonly validateResponses?: boolean;
  readonly fileUrl?: FileUrl;
  /** Stores the addresses of files in a short form; both forms are read in any case. */
  readonly files?: boolean | undefined;
  /** The direction in which items travel; `response` by default. */
  readonly direction?: 'request' | 'response';
  readonly listsInvalid?: boolean;
  readonly onInvalid?: (() => void) | undefined;
}

const asItIs = (text: string): string => text;

/** Turns the addresses of files into what is stored, where the collection has files, and back. */
const addressForms = ({ fileUrl, files = false }: ItemOptions) => {
  if (fileUrl === undefined) return { toStored: asItIs, toServed: asItIs };
  const before = fileUrl('');
  const escaped = before.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const addresses = new RegExp(`"${escaped}(${fileId})"`, 'g');
  const toStored = (text: string): string =>
    text.includes(before) ? text.replaceAll(addresses, (_, id) => `"${addressMark}${id}"`) : text;
  return {
    toStored: files ? toStored : asItIs,
    toServed: (text: string): string =>
      text.includes(addressMark) ? text.replaceAll(addressMark, () => before) : text,
  };
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
  const { validateResponses, direction = 'response', listsInvalid, onInvalid } = options;
  const shape = shapeOf(schema);
  // Only texts of this schema are ever read.
  const { write, read, readExact, readFilled, serialized, serializedItems } =
    storedJson<object>(shape);
  const validate = validators.validatorOf(schema, direction);
  // The same for schemas that say the same, with all that they may refer to.
  const texts = [writerVersion, ...schemaTexts(document, schema)].join();
  const format = hash('sha256', `[${texts}]`, 'base64url');
  const { toStored, toServed } = addressForms(options);
  const check = validateResponses
    ? (value: unknown): void => {
        const [error] = validate(value);
        if (error === undefined) return;
        throw new InvalidItem(`Nothing is stored: the item's ${error.path} ${error.message}`);
      }
    : undefined;

  /** Fills in defaults, and leaves out what is declared no longer. */
  const current = (text: string): string => write(readFilled(toServed(text)));

  // An item with what the schema says of none is read and written for nothing.
  const hasDefaults = lazy(() =>
    shapesIn(shape).some(({ defaultValue }) => defaultValue !== undefined),
  );

  const convert = (text: string): ConvertedText => {
    try {
      const converted = current(text);
      return { document: toStored(converted), problems: validate(readExact(converted)) };
    } catch (error) {
      // One unreadable text must not keep the others from being read.
      const message = `cannot be read: ${errorMessage(error)}`;
      return { document: text, problems: [{ path: '', message }] };
    }
  };

  const valid = (text: string, writtenIn: string): SerializedJson<object> | undefined => {
    if (writtenIn === format) return serialized(toServed(text));
    const converted = convert(text);
    if (converted.problems.length === 0) return serialized(toServed(converted.document));
    onInvalid?.();
    return undefined;
  };
  return {
    format,
    read: (text) => read(toServed(text)),
    readCurrent: (text) => read(current(text)),
    write,
    fill: (value) => (hasDefaults() ? read(write(readFilled(write(value)))) : value),
    store(value) {
      const text = write(value);
      check?.(readExact(text));
      return toStored(text);
    },
    convert,
    serialized: valid,
    listed: (text, writtenIn) =>
      valid(text, writtenIn) ?? (listsInvalid ? serialized(toServed(text)) : undefined),
    serializedItems: (texts) => serializedItems(toServed(texts)),
  };
};
