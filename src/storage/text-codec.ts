/** How storage keeps a resource as text without knowing the codec: the two functions it is handed. */

export interface TextCodec<Value> {
  /** Exact: what `write` wrote. */
  read(text: string): Value;
  /** Writes the properties that the schema declares and no others. */
  write(value: Value): string;
}
