/** Values kept as the JSON texts that the engine's own writer made of them, so that an answer can carry them unread. */

import type { Shape } from '../../schema/shape';

/** For the compiler alone. */
declare const typeOfValue: unique symbol;

/** A value and its JSON text. */
export interface SerializedJson<Value> {
  /** What the text was written by. A response of the same shape sends the text as it is; any other has it written anew. */
  readonly shape: Shape;
  readonly text: string;
  /** The value itself, read from the text at every call. */
  read(): Value;
  /** A kept value is of its own type and no other, even where the value itself would do. */
  readonly [typeOfValue]: (value: Value) => Value;
}

/** What a kept value is made of. Lists of them are long, so that each has the same plain members and no closure. */
interface KeptText {
  readonly shape: Shape;
  readonly text: string;
  readonly parse: (text: string) => unknown;
  readonly read: () => unknown;
}

/** The mark of a kept value, too: nothing that a request says has this function among its members. */
function readText(this: KeptText): unknown {
  return this.parse(this.text);
}

/**
 * Marks a text as the kept form of a value.
 * @param text what `jsonWriter(shape, 'whole', 'dropped')` wrote of a value that fits the shape
 * @param parse reads such a text
 */
export const serialized = <Value>(
  shape: Shape,
  text: string,
  parse: (text: string) => Value,
): SerializedJson<Value> => {
  const made: KeptText = { shape, text, parse, read: readText };
  return made as unknown as SerializedJson<Value>;
};

/** Whether a value was made by `kept`. */
export const isSerialized = (value: unknown): value is SerializedJson<unknown> =>
  typeof value === 'object' && value !== null && (value as Partial<KeptText>).read === readText;

/** Values of one shape and their JSON texts, joined by commas. */
export interface SerializedItems<Value> {
  /** What each of the texts was written by. */
  readonly shape: Shape;
  readonly texts: string;
  /** The values themselves, read from the texts at every call. */
  read(): Value[];
  readonly [typeOfValue]: (value: Value) => Value;
}

interface KeptTexts {
  readonly shape: Shape;
  readonly texts: string;
  readonly parse: (texts: string) => unknown[];
  readonly read: () => unknown[];
}

function readTexts(this: KeptTexts): unknown[] {
  return this.parse(this.texts);
}

/**
 * Marks joined texts, one at least, as the kept form of values.
 * @param texts what `kept` takes of each value, joined by commas
 * @param parse reads such texts
 */
export const serializedItems = <Value>(
  shape: Shape,
  texts: string,
  parse: (texts: string) => Value[],
): SerializedItems<Value> => {
  const made: KeptTexts = { shape, texts, parse, read: readTexts };
  return made as unknown as SerializedItems<Value>;
};

/** Whether a page of a list was made by `keptItems`. */
export const isSerializedItems = (page: object): page is SerializedItems<unknown> =>
  (page as Partial<KeptTexts>).read === readTexts;
