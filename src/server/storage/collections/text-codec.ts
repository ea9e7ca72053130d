/** How storage keeps a resource as text without knowing the codec: the functions it is handed. */

import type { SerializedItems, SerializedJson } from '../../../engine';

export interface TextCodec<Value> {
  /** Names the schema and the way of writing; a text that was written under another name may have to be written anew. */
  readonly format: string;
  /** Exact: what `write` wrote. */
  read(text: string): Value;
  /** Writes the properties that the schema declares and no others. */
  write(value: Value): string;
  /** A kept text as an answer may carry it: as it is where it is of this format, else written anew. */
  kept(text: string, format: string): SerializedJson<Value>;
  /** Kept texts of this format, joined by commas. */
  keptItems(texts: string): SerializedItems<Value>;
}
