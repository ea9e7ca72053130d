/** Percent-encoded text and query strings (RFC 3986 section 2.1): decoded, refusing what is no text. */

import { MalformedText } from '../../base/malformed-text';
import { readLimits } from '../media-types/codec/codec';

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

/** Decoded names to their still encoded values, both in the order they came. */
export type QueryPairs = ReadonlyMap<string, readonly string[]>;

const mostPairs = readLimits.names;

const digits = /^\d{1,9}$/;

/** Whether a key between brackets stands for an array's item, as in `name[]` and `name[0]`. */
export const isPosition = (key: string): boolean => key === '' || digits.test(key);

/** A name that is not well encoded cannot match any parameter's, so it stays as it is. */
const decodeName = (raw: string): string => (isWellEncoded(raw) ? formDecode(raw) : raw);

const addPair = (pairs: Map<string, string[]>, piece: string): void => {
  const equals = piece.indexOf('=');
  const name = decodeName(equals < 0 ? piece : piece.slice(0, equals));
  const value = equals < 0 ? '' : piece.slice(equals + 1);
  const values = pairs.get(name);
  if (values === undefined) pairs.set(name, [value]);
  else values.push(value);
};

/** Splits at `&` and the first `=`; throws MalformedText past as many pairs as there may be names. */
export const parseQueryString = (query: string): QueryPairs => {
  const pieces = query.split('&', mostPairs + 1);
  if (pieces.length > mostPairs) {
    throw new MalformedText(`must not have more than ${mostPairs} parameters`);
  }
  const pairs = new Map<string, string[]>();
  for (const piece of pieces) {
    if (piece !== '') addPair(pairs, piece);
  }
  return pairs;
};
