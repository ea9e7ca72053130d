/** Texts that are not of their format. */

import { recover } from './recover';

/** The text is not of the format: truncated, ill-formed, repeated keys, too deep. The message is fit for the caller. */
export class MalformedText extends Error {
  /** JSON Pointer to the value, where one is known. */
  readonly path: string;

  constructor(message: string, path = '') {
    // Nothing uses the stack, and making it takes longer than finding the fault: a body may hold 100,000 of them.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'MalformedText';
    this.path = path;
  }
}

/** Returns what `read` gives; undefined where it finds the text malformed. */
export const tryRead = (read: () => unknown): unknown =>
  recover(read, MalformedText, () => undefined);
