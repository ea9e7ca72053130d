/** Media types (RFC 9110 section 8.3.1): reading a Content-Type, matching it, choosing from an Accept. */

import { parse } from 'content-type';
import Negotiator from 'negotiator';
import { memoize } from '../lang/memoize';

/** A media type taken apart; everything but parameter values in lower case. */
export interface ParsedMediaType {
  /** `type/subtype`. */
  readonly essence: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Reads a Content-Type; undefined where it is not one. */
export const parseMediaType = (text: string): ParsedMediaType | undefined => {
  const { type, parameters } = parse(text);
  return /^[^\s/;]+\/[^\s/;]+$/.test(type)
    ? { essence: type.toLowerCase(), parameters }
    : undefined;
};

const parametersMatch = (wanted: ParsedMediaType, given: ParsedMediaType): boolean =>
  Object.entries(wanted.parameters).every(
    ([name, value]) => given.parameters[name]?.toLowerCase() === value.toLowerCase(),
  );

/** How specific a range is that matches: exact with parameters 4, exact 3, `type/*` 2, any type 1; 0 where it does not match. */
const specificity = (range: ParsedMediaType, given: ParsedMediaType): number => {
  if (!parametersMatch(range, given)) return 0;
  if (range.essence === given.essence) return Object.keys(range.parameters).length > 0 ? 4 : 3;
  if (range.essence === '*/*') return 1;
  const [type, subtype] = range.essence.split('/');
  return subtype === '*' && given.essence.startsWith(`${type}/`) ? 2 : 0;
};

/**
 * Makes a finder among the keys of a Content map: the most specific wins (OAS 3.0.3, Request Body Object). Case and
 * parameters do not matter unless the key carries parameters.
 */
export const mediaTypeMatcher = <Entry extends { readonly key: string }>(
  entries: readonly Entry[],
): ((given: ParsedMediaType) => Entry | undefined) => {
  const ranges = entries.flatMap((entry) => {
    const range = parseMediaType(entry.key);
    return range === undefined ? [] : [{ entry, range }];
  });
  return (given) => {
    let best: Entry | undefined;
    let most = 0;
    for (const { entry, range } of ranges) {
      const value = specificity(range, given);
      if (value > most) [best, most] = [entry, value];
    }
    return best;
  };
};

/** The media type to send for a key that may be a range: JSON is what everybody reads. */
export const concreteMediaType = (key: string): string => {
  const essence = parseMediaType(key)?.essence ?? 'application/json';
  if (essence === '*/*' || essence === 'application/*') return 'application/json';
  return essence.endsWith('/*') ? `${essence.slice(0, -1)}plain` : key;
};

/**
 * Makes what chooses by an Accept header from what is on offer (RFC 9110 section 12.5.1); undefined: nothing is acceptable.
 * @param offered concrete media types, the server's preference first
 */
export const negotiator = (
  offered: readonly string[],
): ((accept: string | undefined) => string | undefined) => {
  const choose = memoize(
    (accept: string) =>
      accept.trim() === ''
        ? offered[0]
        : new Negotiator({ headers: { accept } }).mediaType([...offered]),
    // Most callers send one of a few.
    { max: 100 },
  );
  return (accept) => (accept === undefined ? offered[0] : choose(accept));
};
