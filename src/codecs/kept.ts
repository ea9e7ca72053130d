/** A value kept as the JSON text that the engine's own writer made of it, so that an answer can carry it unread. */

import type { Shape } from './shape';

/** A symbol that stays here: nothing that a request says can be taken for a kept value. */
const mark = Symbol('kept');

/** A value and its JSON text. */
export interface Kept<Value> {
  /** What the text was written by. A response of the same shape sends the text as it is; any other has it written anew. */
  readonly shape: Shape;
  readonly text: string;
  /** The value itself, read from the text at every call. */
  read(): Value;
  /** A kept value is of its own type and no other, even where the value itself would do. */
  readonly [mark]: (value: Value) => Value;
}

const itself = <Value>(value: Value): Value => value;

/**
 * Marks a text as the kept form of a value.
 * @param text what `jsonWriter(shape, 'whole', 'dropped')` wrote of a value that fits the shape
 * @param read reads such a text
 */
export const kept = <Value>(
  shape: Shape,
  text: string,
  read: (text: string) => Value,
): Kept<Value> => ({ shape, text, read: () => read(text), [mark]: itself });

/** Whether a value was made by `kept`. */
export const isKept = (value: unknown): value is Kept<unknown> =>
  typeof value === 'object' && value !== null && mark in value;
