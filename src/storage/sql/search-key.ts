/** Keys by which texts of any length are found: databases bound the length of index entries. */

import { createHash } from 'node:crypto';

// UTF-8 takes four bytes for a character at most; PostgreSQL indexes some 2,700 bytes.
const longest = 200;

/** The one character that PostgreSQL does not store. */
const nul = '\u0000';

/** Makes the key of a text: a short text itself; of a longer one, the beginning and a digest, which are longer than any short one. */
export const searchKey = (text: string): string => {
  if (text.length <= longest && !text.includes(nul)) return text;
  const beginning = text.slice(0, longest).replaceAll(nul, ' ').padEnd(longest);
  return `${beginning}${createHash('sha256').update(text).digest('hex')}`;
};
