/** A text that is made while it is sent. */

/**
 * A text in chunks; the last comes with `done`. `return` ends its source at once, even while a chunk is awaited; nothing is
 * asked of it any more.
 */
export interface TextStream extends AsyncIterator<string, string> {
  return(): Promise<IteratorResult<string, string>>;
}

/** Whether a body comes in chunks. */
export const isTextStream = (
  body: string | Uint8Array | TextStream | undefined,
): body is TextStream => typeof body === 'object' && !(body instanceof Uint8Array);
