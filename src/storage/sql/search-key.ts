/** What a text of any length is found by: databases bound the length of what an index holds. */

import { createHash } from 'node:crypto';

// UTF-8 takes four bytes for a character at most; PostgreSQL indexes some 2,700 bytes.
const longest = 200;

/** PostgreSQL stores every character but this one. */
const nul = '\u0000';

/**
 * Short texts stand for themselves; of longer ones the beginning stays, with a digest of the whole, and is longer than any
 * short one.
 */
export const searchKey = (text: string): string => {
  if (text.length <= longest && !text.includes(nul)) return text;
  const beginning = text.slice(0, longest).replaceAll(nul, ' ').padEnd(longest);
  return `${beginning}${createHash('sha256').update(text).digest('hex')}`;
};
