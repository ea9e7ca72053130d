/** The one spelling of a path by which paths are compared (RFC 3986 sections 6.2.2.1 and 6.2.2.2). */

import { attempt } from './recover';

/** The triples of one character in UTF-8, or of one octet. */
const encodedCharacter =
  /%(?:[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3}|[\da-f]{2})/gi;

/** Characters of a path that mean something else when they are encoded, and `%`. `[` and `]` only exist encoded there (RFC 3986 section 3.3). */
const reserved = "%/?#:@!$&'()*+,;=";

const spelled = (triples: string): string => {
  const character = attempt(() => decodeURIComponent(triples));
  return character === undefined || reserved.includes(character)
    ? triples.toUpperCase()
    : character;
};

/**
 * Spells paths that are the same URI alike: all is decoded but reserved characters and octets that are no UTF-8. Values can still be
 * read from it; a `%` that begins no triple stays.
 */
export const normalPath = (path: string): string =>
  path.includes('%') ? path.replaceAll(encodedCharacter, spelled) : path;

const looseSign = /%(?![\da-f]{2})/gi;

/** Spells literal text of a document like `normalPath`; of a `%` that begins no triple, a request has the triple. */
export const normalLiteral = (text: string): string => normalPath(text.replace(looseSign, '%25'));

/** Percent-encodes literal text for a URL; triples and reserved characters stay (RFC 6570 section 3.1). */
export const encodeLiteral = (text: string): string =>
  encodeURI(text.toWellFormed()).replaceAll(/%25(?=[\da-f]{2})/gi, '%');
