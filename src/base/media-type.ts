/** Media types (RFC 9110 section 8.3.1): reading a Content-Type, matching it, choosing from an Accept. */

import { parse } from 'content-type';
import Negotiator from 'negotiator';
import { memoize } from './memoize';

/** A parsed media type; everything but parameter values in lower case. */
export interface ParsedMediaType {
  /** `type/subtype`. */
  readonly essence: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parses a Content-Type; returns undefined if it is not one. */
export const parseMediaType = (text: string): ParsedMediaType | undefined => {
  const { type, parameters } = parse(text);
  return /^[^\s/;]+\/[^\s/;]+$/.test(type)
    ? { essence: type.toLowerCase(), parameters }
    : undefined;
};

const CHARSETS = /;\s*charset\b([^;]*)/gi;
const CHARSET_VALUE = /^\s*=\s*(?:"([^"\\]+)"|([^\s",\\]+))\s*$/;

/**
 * Returns the charset of a Content-Type; undefined if it has none. A repeated or malformed one is the empty text: no charset has that
 * name.
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

/** Returns how specific a matching range is: exact 3 (with an implied parameter) to 5 (with given ones), `type/*+suffix` 2.5, `type/*` 2, any type 1; 0 if it does not match. */
const specificity = (range: ParsedMediaType, given: ParsedMediaType): number => {
  const isMatch = Object.entries(range.parameters).every(
    ([name, value]) =>
      isImplied(name, given) || given.parameters[name]?.toLowerCase() === value.toLowerCase(),
  );
  if (!isMatch) return 0;
  if (range.essence === given.essence) {
    const names = Object.keys(range.parameters);
    if (names.some((name) => isImplied(name, given))) return 3;
    return names.length > 0 ? 5 : 4;
  }
  if (range.essence === '*/*') return 1;
  const [type = '', subtype = ''] = range.essence.split('/');
  // `application/*+json` is what some generators write for every type of that suffix, and for what the suffix stands for.
  const isInRange = subtype.startsWith('*') && given.essence.startsWith(`${type}/`);
  const isOfSuffix = [subtype.slice(1), `/${subtype.slice(2)}`].some((end) =>
    given.essence.endsWith(end),
  );
  if (!isInRange || !isOfSuffix) return 0;
  return subtype === '*' ? 2 : 2.5;
};

/**
 * Makes the finder among the keys of a Content map: the most specific wins (OAS 3.0.3, Request Body Object). Case and
 * parameters do not matter unless the key has parameters; nor does the charset of a type that has only one.
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

/** Writes a String of Structured Fields, which media types need not be Tokens for (RFC 9651 section 3.3.3). */
const fieldText = (text: string): string[] =>
  /^[\x20-\x7e]*$/.test(text) ? [JSON.stringify(text)] : [];

/** Makes the header Accept-Query of the media types and ranges that QUERY takes (RFC 10008 section 3); none where it takes none. */
export const acceptQuery = (keys: readonly string[] = []): { readonly 'Accept-Query'?: string } => {
  const ranges = keys.flatMap((key) => {
    const { essence = '\0', parameters = {} } = parseMediaType(key) ?? {};
    const named = Object.entries(parameters).flatMap(([name, value]) =>
      /^[a-z*][a-z\d_.*-]*$/.test(name) ? fieldText(value).map((text) => `;${name}=${text}`) : [],
    );
    return fieldText(essence).map((text) => text + named.join(''));
  });
  return ranges.length > 0 ? { 'Accept-Query': ranges.join(', ') } : {};
};

/** Types whose values are read from texts. */
const FORMATS =
  /^[^;]*[/+](?:x-)?(?:json|jsonl|ndjson|json-seq|xml|yaml|www-form-urlencoded|event-stream)\s*(?:;|$)/i;

/** Tells where octets travel in contents of a media type or range: as the whole, in each part, or undefined for nowhere. */
export const octetsIn = (key: string): 'whole' | 'parts' | undefined => {
  if (/^\s*multipart\//i.test(key)) return 'parts';
  return FORMATS.test(key) ? undefined : 'whole';
};

const TEXT =
  /^\s*(?:text\/|[^/;]+\/(?:[^;]*\+|x-)?(?:json|jsonl|json-?lines|json-seq|json5|ndjson|xml|xml-dtd|yaml|yml|toml|csv|www-form-urlencoded|(?:java|ecma|type)script|sql|graphql|sh|jwt|sdp|pem-file)\s*(?:;|$))/i;

/** Tells whether messages of a media type are texts; all others are octets. */
export const isTextType = (mediaType: string): boolean => TEXT.test(mediaType);

/** The kinds of values; `sample` is octets that are still to be made. */
export type ValueKind = 'bytes' | 'text' | 'scalar' | 'object' | 'sample';

const samples = ['image/png', 'audio/mpeg', 'video/mp4', 'font/woff2'];

/** The media types that stand for a range, best first: JSON where it can, since every client reads it. */
const standIns: Readonly<Record<ValueKind, readonly string[]>> = {
  bytes: [],
  text: ['text/plain', 'application/json'],
  scalar: ['application/json', 'text/plain', 'multipart/mixed', ...samples],
  object: ['application/json', 'text/json', 'multipart/mixed'],
  sample: ['application/octet-stream', ...samples],
};

/** Tells whether a key of a Content map, or an entry of an Accept, is a range. */
export const isRange = (key: string): boolean => /^[^;]*\*/.test(key);

/** Returns the media type to send for a key that may be a range: one within it, else that of any octets. */
export const concreteMediaType = (key: string, kind: ValueKind = 'scalar'): string => {
  const { essence } = parseMediaType(key) ?? { essence: '*/*' };
  if (essence !== '*/*' && !isRange(key)) return key;
  if (essence.includes('/*+') && kind !== 'bytes') return essence.replace('/*+', '/');
  const range = { essence, parameters: {} };
  const isWithin = (type: string) => specificity(range, { essence: type, parameters: {} }) > 0;
  return standIns[kind].find(isWithin) ?? 'application/octet-stream';
};

/** The charset UTF-8: all texts that are sent have it, named or not. */
const UTF_8 = /;\s*charset\s*=\s*"?utf-?8"?/i;

/** Returns the media type of a text that is sent in UTF-8, whatever charset a document or a handler says (RFC 9110 section 8.3.2). */
export const inUtf8 = (mediaType: string): string =>
  charsetOf(mediaType) === undefined || UTF_8.test(mediaType)
    ? mediaType
    : mediaType.replace(CHARSETS, '; charset=utf-8');

/**
 * Makes the function that chooses an offer by an Accept header (RFC 9110 section 12.5.1); undefined: none is acceptable.
 * @param offered concrete media types and ranges, the server's preference first
 * @param isOffered tells whether a type or range that Accept names is offered, too
 */
export const negotiator = (
  offered: readonly string[],
  isOffered: (named: string) => boolean = () => false,
): ((accept: string | undefined) => string | undefined) => {
  const choose = memoize(
    (accept: string) => {
      if (accept.trim() === '') return offered[0];
      const negotiation = new Negotiator({
        headers: { accept: accept.replaceAll(new RegExp(UTF_8, 'gi'), '') },
      });
      return negotiation.mediaType([...offered, ...negotiation.mediaTypes().filter(isOffered)]);
    },
    // Most callers send one of a few.
    { max: 100 },
  );
  return (accept) => (accept === undefined ? offered[0] : choose(accept));
};

/** The media type of Markdown (RFC 7763). */
export const markdownType = 'text/markdown; charset=utf-8';

const choosePage = negotiator(['text/html', 'text/markdown']);

/** Tells whether an Accept header asks for Markdown rather than for HTML. */
export const prefersMarkdown = (accept: string | undefined): boolean =>
  choosePage(accept) === 'text/markdown';
