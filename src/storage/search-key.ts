/** What a text of any length is found by: databases bound the length of what an index holds. */

import { createHash } from 'node:crypto';

// UTF-8 takes four octets for a character at most; PostgreSQL indexes some 2,700 octets.
const longest = 200;

/** Short texts stand for themselves; of longer ones the beginning stays, with a digest of the whole, and is longer than any short one. */
export const searchKey = (text: string): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest)}${createHash('sha256').update(text).digest('hex')}`;
