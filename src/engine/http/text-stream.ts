/** A text that is made while it is sent, in pieces. */

/** A text in pieces. */
export interface TextStream {
  /** The next piece; the last comes with `done`. Rejects where the source fails, and is over then. */
  next(): Promise<IteratorResult<string, string>>;
  /**
   * Ends the source at once, even while a piece is awaited; nothing is asked of it any more. Rejects where it fails to end,
   * and does nothing where it has ended.
   */
  end(): Promise<void>;
}

/** Told of a fault that the caller cannot be told of any more. */
export type Report = (error: unknown) => void;

/** Whether a body comes in pieces. */
export const isTextStream = (
  body: string | Uint8Array | TextStream | undefined,
): body is TextStream => typeof body === 'object' && !(body instanceof Uint8Array);
