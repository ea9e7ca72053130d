/** Tries one reading where another may follow. */

import { MalformedText } from './codec';

/** What `read` gives, or undefined where the text is not what it takes. */
export function tryRead(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedText) return undefined;
    throw error;
  }
}
