/** URIs (RFC 3986), IRIs (RFC 3987), references to them, and templates of URIs (RFC 6570). */

import { isIPv6 } from 'node:net';

/** The parts of a reference (RFC 3986 appendix B). */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;
/** User information, a host and a port. */
const AUTHORITY = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:@[\]]*)(?::\d*)?$/;
const FUTURE_ADDRESS = /^v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+$/i;

/** Makes the test of a text of unreserved characters, delimiters, the others and percent-encoded bytes. */
const charactersTest = (others: string): ((text: string) => boolean) => {
  const characters = new RegExp(`^(?:[a-z0-9\\-._~!$&'()*+,;=${others}]|%[0-9a-f]{2})*$`, 'iu');
  return (text) => characters.test(text);
};

const isHost = (host: string, isName: (text: string) => boolean): boolean => {
  if (!host.startsWith('[')) return isName(host);
  const address = host.slice(1, -1);
  // A zone (RFC 9844) is none of the address.
  return FUTURE_ADDRESS.test(address) || (isIPv6(address) && !address.includes('%'));
};

/**
 * Makes the test of a reference.
 * @param letters the characters of IRIs beside those of URIs
 * @param privates those that a query may have, too
 */
const referenceTest = (letters: string, privates: string): ((text: string) => boolean) => {
  const isName = charactersTest(letters);
  const isUser = charactersTest(`${letters}:`);
  const isPath = charactersTest(`${letters}:@/`);
  const isQuery = charactersTest(`${letters}${privates}:@/?`);
  const isFragment = charactersTest(`${letters}:@/?`);
  const isAuthority = (authority = ''): boolean => {
    const [whole, user = '', host = ''] = AUTHORITY.exec(authority) ?? [];
    return whole !== undefined && isUser(user) && isHost(host, isName);
  };
  return (text) => {
    const [, scheme, authority, path = '', query = '', fragment = ''] = PARTS.exec(text) ?? [];
    // A colon in the first segment would end a scheme.
    const begins = scheme === undefined ? !/^[^/]*:/.test(path) : SCHEME.test(scheme);
    return (
      begins && isAuthority(authority) && isPath(path) && isQuery(query) && isFragment(fragment)
    );
  };
};

/** Tells whether the text is a URI or a relative reference. */
export const isUriReference = referenceTest('', '');

/** Tells the same of IRIs. */
export const isIriReference = referenceTest(
  '\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}\\u{10000}-\\u{efffd}',
  '\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{10fffd}',
);

/** Tells of a reference that it is not relative. */
export const isAbsolute = (text: string): boolean => /^[^:/?#]+:/.test(text);

const NAME = '(?:\\w|%[0-9a-f]{2})(?:\\.?(?:\\w|%[0-9a-f]{2}))*(?::[1-9]\\d{0,3}|\\*)?';
const LITERAL = '[^\\x00-\\x20"<>\\\\^`{|}%\\x7f]|%[0-9a-f]{2}';
const TEMPLATE = new RegExp(`^(?:${LITERAL}|\\{[+#./;?&=,!@|]?${NAME}(?:,${NAME})*\\})*$`, 'i');

/** Tells whether the text is a template of URIs. */
export const isUriTemplate = (text: string): boolean => TEMPLATE.test(text);
