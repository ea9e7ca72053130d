/** Bodies of responses other than plain values: JSON texts that the engine's writer made, and lists that come page by page. */

import type { Shape } from '../../schema/shape';

/** For the compiler alone. */
declare const typeOfValue: unique symbol;

/** A value and its JSON text. */
export interface SerializedJson<Value> {
  /** The shape that the text was written by. A response of the same shape sends the text as it is; any other writes the value. */
  readonly shape: Shape;
  readonly text: string;
  /** The value itself, read from the text at every call. */
  read(): Value;
  /** Makes the type of a serialized value distinct from that of every other. */
  readonly [typeOfValue]: (value: Value) => Value;
}

/** The members of a serialized value. Lists of them are long, so that each has the same plain members and no closure. */
interface SerializedText {
  readonly shape: Shape;
  readonly text: string;
  readonly parse: (text: string) => unknown;
  readonly read: () => unknown;
}

/** Reads the value. It also marks serialized values: no value of a request has this function as a member. */
function readText(this: SerializedText): unknown {
  return this.parse(this.text);
}

/**
 * Marks a text as the serialized form of a value.
 * @param text what `jsonWriter(shape, 'storage', 'dropped')` wrote of a value that fits the shape
 * @param parse reads such a text
 */
export const serialized = <Value>(
  shape: Shape,
  text: string,
  parse: (text: string) => Value,
): SerializedJson<Value> => {
  const made: SerializedText = { shape, text, parse, read: readText };
  return made as unknown as SerializedJson<Value>;
};

/** Tells whether `serialized` made a value. */
export const isSerialized = (value: unknown): value is SerializedJson<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (value as Partial<SerializedText>).read === readText;

/** Values of one shape and their JSON texts, joined by commas. */
export interface SerializedItems<Value> {
  /** The shape that each of the texts was written by. */
  readonly shape: Shape;
  readonly texts: string;
  /** The values themselves, read from the texts at every call. */
  read(): Value[];
  readonly [typeOfValue]: (value: Value) => Value;
}

interface JoinedTexts {
  readonly shape: Shape;
  readonly texts: string;
  readonly parse: (texts: string) => unknown[];
  readonly read: () => unknown[];
}

function readTexts(this: JoinedTexts): unknown[] {
  return this.parse(this.texts);
}

/**
 * Marks joined texts, one at least, as the serialized form of values.
 * @param texts what `serialized` takes of each value, joined by commas
 * @param parse reads such texts
 */
export const serializedItems = <Value>(
  shape: Shape,
  texts: string,
  parse: (texts: string) => Value[],
): SerializedItems<Value> => {
  const made: JoinedTexts = { shape, texts, parse, read: readTexts };
  return made as unknown as SerializedItems<Value>;
};

/** Tells whether `serializedItems` made a page of a list. */
export const isSerializedItems = (page: object): page is SerializedItems<unknown> =>
  (page as Partial<JoinedTexts>).read === readTexts;

/** The serialized form of a type, or of a member of the union that it is. */
export type SerializedAs<Value> =
  | SerializedJson<Value>
  | (Value extends unknown ? SerializedJson<Value> : never);

/** Some items of a list, in order. */
export type Page<Item> = readonly (Item | SerializedAs<Item>)[] | SerializedItems<Item>;

/**
 * Pages of a list, in order. The next one is requested when the last has been sent; `return` is called as soon as no more are
 * needed, even while a page is awaited.
 */
export type Pages<Item> = AsyncIterable<Page<Item>>;

/** Tells whether a value comes page by page; no value of a schema does. */
export const isPages = (value: unknown): value is Pages<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
