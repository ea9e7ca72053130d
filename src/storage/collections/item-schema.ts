/** The schema of items, as far as storage needs it: it writes, reads and validates them. */

import { recoverFrom } from '../../base/recover';
import type { SerializedItems, SerializedJson } from '../../engine';
import type { ViewType } from '../tables/views';
import type { SortKind } from './sort-keys';

/** A text, and the format that it was written in. */
export interface DocumentRow {
  readonly document: string;
  readonly format: string;
}

/** A stored text as the schema of today has it. */
export interface ConvertedText {
  readonly document: string;
  /** The rules that it breaks; empty where it is valid. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Writes and reads the items of one schema as JSON text. */
export interface TextCodec<Value> {
  /** Names the schema and the way of writing. A text in another format may have to be converted. */
  readonly format: string;
  /** Reads a text exactly as `write` wrote it. */
  read(text: string): Value;
  /** Writes the properties that the schema declares and no others. */
  write(value: Value): string;
  /** Fills in what a new item leaves out and the schema has a default for. */
  fill(value: Value): Value;
  /** Writes a value that is to be stored. Throws InvalidItem where responses are checked and none may carry it. */
  store(value: Value): string;
  /** Gives a stored text as a response may carry it, converted where its format is another; undefined where it is invalid. */
  serialized(text: string, format: string): SerializedJson<Value> | undefined;
  /** Gives a stored text as lists carry it: an invalid one is left out (undefined), or given as it is. */
  listed(text: string, format: string): SerializedJson<Value> | undefined;
  /** Reads a text of any format as the schema of today has it, valid or not. */
  readCurrent(text: string): Value;
  /** Converts a text of any format into this one, and validates it. */
  convert(text: string): ConvertedText;
  /** Gives stored texts of this format, joined by commas, as a response carries them. */
  serializedItems(texts: string): SerializedItems<Value>;
}

/** The schema of a collection's items, or of a service's users. */
export interface CollectionSchema<Item> {
  readonly codec: TextCodec<Item>;
  /** Tells whether the schema has an int64 `id`. */
  readonly hasId: boolean;
  /** Tells whether the schema has an `id` of texts, by which items are found as others are by their number. */
  readonly hasTextId: boolean;
  /** Lists the values of the schema's `enum` for a field, by its path; none where it has no `enum`. */
  readonly declaredValues: (path: string) => readonly string[];
  /** Gives the index by which items are sorted by the field at a path. */
  readonly sortKind: (path: string) => SortKind;
  /** Lists the scalar properties of items, which are columns of the collection's view. */
  readonly columns: () => ReadonlyMap<string, ViewType>;
  /** Declared lookups, counts and sorts that the schema has no field for: they find nothing. */
  readonly missingFields: readonly string[];
}

/** The document has no schema for a collection, or one that cannot be used; the message says why. */
export class UnusableSchema extends Error {}

/** An item that responses may not carry, and that is therefore not stored; the message says why. */
export class InvalidItem extends Error {}

/** Goes on without an item that is invalid. */
export const leaveOutInvalid = recoverFrom(InvalidItem, () => undefined);
