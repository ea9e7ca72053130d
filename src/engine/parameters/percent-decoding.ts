/** Percent-encoded text of a URL to characters (RFC 3986 section 2.1), refusing what is no text. */

import { MalformedText } from '../lang/malformed-text';

/** Turns one raw piece of a parameter into its text; throws MalformedText. */
export type Decode = (raw: string) => string;

const decodeUtf8 = (raw: string): string | undefined => {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
};

/** Whether every triple is complete and the bytes are UTF-8. */
export const isWellEncoded = (raw: string): boolean => decodeUtf8(raw) !== undefined;

/** Decodes percent-encoded UTF-8; refuses broken triples, other bytes and U+0000. */
export const percentDecode: Decode = (raw) => {
  if (!raw.includes('%')) return raw;
  const text = decodeUtf8(raw);
  if (text === undefined) throw new MalformedText('must be well-formed percent-encoded UTF-8');
  if (text.includes('\0')) throw new MalformedText('must not contain the character U+0000');
  return text;
};

/** The same for a query string, where a plus is a space (OAS 3.0.4, Appendix E). */
export const formDecode: Decode = (raw) =>
  percentDecode(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
