/** What storage needs to write items as JSON text and to read them; the engine's codec has it. */

import type { SerializedItems, SerializedJson } from '../../../../engine';

export interface TextCodec<Value> {
  /** Names the schema and the way of writing; a text that was written under another name may have to be written anew. */
  readonly format: string;
  /** Exact: what `write` wrote. */
  read(text: string): Value;
  /** Writes the properties that the schema declares and no others. */
  write(value: Value): string;
  /** A stored text as a response may carry it: as it is where it is of this format, else serialized anew. */
  serialized(text: string, format: string): SerializedJson<Value>;
  /** Stored texts of this format, joined by commas. */
  serializedItems(texts: string): SerializedItems<Value>;
}
