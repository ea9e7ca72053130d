/** Media types (RFC 9110 section 8.3.1): reading a Content-Type, matching it, choosing from an Accept. */

import { parse } from 'content-type';
import Negotiator from 'negotiator';
import { memoize } from '../../base/memoize';

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

const CHARSETS = /;\s*charset\b([^;]*)/gi;
const CHARSET_VALUE = /^\s*=\s*(?:"([^"\\]+)"|([^\s",\\]+))\s*$/;

/**
 * The charset that a Content-Type names; undefined where it names none. One that stands there twice, or has no value or half a
 * quoted one, is the empty text: no charset has that name.
 */
export const charsetOf = (contentType: string): string | undefined => {
  const [first, second] = contentType.matchAll(CHARSETS);
  if (first === undefined) return undefined;
  const [, quoted, plain] = (second === undefined && CHARSET_VALUE.exec(first[1] ?? '')) || [];
  return quoted ?? plain ?? '';
};

/** Types that are UTF-8 always, and have no charset parameter (RFC 8259 section 11, RFC 9512 section 2.1). */
const ALWAYS_UTF_8 = /json|yaml|x-www-form-urlencoded/;

const isImplied = (name: string, { essence, parameters }: ParsedMediaType): boolean =>
  name === 'charset' && parameters[name] === undefined && ALWAYS_UTF_8.test(essence);

const parametersMatch = (wanted: ParsedMediaType, given: ParsedMediaType): boolean =>
  Object.entries(wanted.parameters).every(
    ([name, value]) =>
      isImplied(name, given) || given.parameters[name]?.toLowerCase() === value.toLowerCase(),
  );

/** Parameters that are given make a type more specific; one that is but implied makes it less so than none. */
const exactness = ({ parameters }: ParsedMediaType, given: ParsedMediaType): number => {
  const names = Object.keys(parameters);
  if (names.some((name) => isImplied(name, given))) return 3;
  return names.length > 0 ? 5 : 4;
};

/** How specific a range is that matches: exact 3 to 5, `type/*+suffix` 2.5, `type/*` 2, any type 1; 0 where it does not match. */
const specificity = (range: ParsedMediaType, given: ParsedMediaType): number => {
  if (!parametersMatch(range, given)) return 0;
  if (range.essence === given.essence) return exactness(range, given);
  if (range.essence === '*/*') return 1;
  const [type = '', subtype = ''] = range.essence.split('/');
  // `application/*+json` is what some generators write for every type of that suffix.
  const isInRange = subtype.startsWith('*') && given.essence.startsWith(`${type}/`);
  if (!isInRange || !given.essence.endsWith(subtype.slice(1))) return 0;
  return subtype === '*' ? 2 : 2.5;
};

/**
 * Makes a finder among the keys of a Content map: the most specific wins (OAS 3.0.3, Request Body Object). Case and
 * parameters do not matter unless the key carries parameters; nor does its charset where the type has but one.
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
  if (essence.endsWith('/*')) return `${essence.slice(0, -1)}plain`;
  return essence.includes('/*+') ? essence.replace('/*+', '/') : key;
};

/** All that is sent is UTF-8, whether an offer says so or not. */
const CHARSET = /;\s*charset\s*=\s*"?utf-?8"?/gi;

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
        : new Negotiator({ headers: { accept: accept.replace(CHARSET, '') } }).mediaType([
            ...offered,
          ]),
    // Most callers send one of a few.
    { max: 100 },
  );
  return (accept) => (accept === undefined ? offered[0] : choose(accept));
};
