/** A raw query string as its names and their raw values, taken apart once per request. */

import { MalformedText } from '../lang/malformed-text';
import { formDecode, isWellEncoded } from './percent-decoding';

/** Decoded names to their still encoded values, both in the order they came. */
export type QueryPairs = ReadonlyMap<string, readonly string[]>;

const mostPairs = 1000;

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

/** Splits at `&` and the first `=`; throws MalformedText past 1000 pairs. */
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
