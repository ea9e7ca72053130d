/** The one spelling of a path by which paths are compared (RFC 3986 sections 6.2.2.1 and 6.2.2.2). */

import { attempt } from '../recover';

/** The triples of one character in UTF-8, or of one octet. */
const encodedCharacter =
  /%(?:[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3}|[\da-f]{2})/gi;

// `[` and `]` are reserved too, but a path has them encoded alone (RFC 3986 section 3.3).
const reserved = "%/?#:@!$&'()*+,;=";

/** Decodes all but reserved characters, octets that are no UTF-8, and a `%` that begins no triple: values can still be read. */
export const normalPath = (path: string): string => {
  if (!path.includes('%')) return path;
  return path.replaceAll(encodedCharacter, (triples) => {
    const text = attempt(() => decodeURIComponent(triples));
    return text === undefined || reserved.includes(text) ? triples.toUpperCase() : text;
  });
};

/** Percent-encodes literal text for a URL; triples and reserved characters stay (RFC 6570 section 3.1). */
export const encodeLiteral = (text: string): string =>
  encodeURI(text.toWellFormed()).replaceAll(/%25(?=[\da-f]{2})/gi, '%');
