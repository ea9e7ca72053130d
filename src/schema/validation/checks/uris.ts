/** URIs (RFC 3986), IRIs (RFC 3987), references to them, and templates of URIs (RFC 6570). */

import { isIPv6 } from 'node:net';

// A zone (RFC 9844) is no part of the address.
const isAddress = (text: string): boolean =>
  /^v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+$/i.test(text) || (isIPv6(text) && !text.includes('%'));

/** The characters of IRIs beside those of URIs, and those that a query may have, too. */
const international = {
  letters: '\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}\\u{10000}-\\u{efffd}',
  privates: '\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{10fffd}',
};

const SCHEME = '[a-z][a-z0-9+.-]*:';

/**
 * Makes the test of a reference.
 * @param begins the scheme, or what stands in its place
 * @param further characters beside those of URIs
 */
const referenceTest = (
  begins: string,
  further: Partial<typeof international> = {},
): ((text: string) => boolean) => {
  const { letters = '', privates = '' } = further;
  const characters = (others: string) =>
    `(?:[a-z0-9\\-._~!$&'()*+,;=${letters}${others}]|%[0-9a-f]{2})*`;
  const host = `(?:\\[([^\\]]*)\\]|${characters('')})`;
  const authority = `//(?:${characters(':')}@)?${host}(?::\\d*)?(?=[/?#]|$)`;
  const query = `(?:\\?${characters(`${privates}:@/?`)})?`;
  const rest = `${characters(':@/')}${query}(?:#${characters(':@/?')})?`;
  const flags = letters === '' ? 'i' : 'iu';
  const expression = new RegExp(`^${begins}(?:${authority}|(?!//))${rest}$`, flags);
  return (text) => {
    if (!text.includes('[')) return expression.test(text);
    const address = expression.exec(text)?.[1];
    return address !== undefined && isAddress(address);
  };
};

/** A scheme, or none; then a colon in the first segment would end one. */
const ANY_SCHEME = `(?:${SCHEME}|(?![^/?#]*:))`;

/** Tells whether the text is a URI. */
export const isUri = referenceTest(SCHEME);

/** Tells whether the text is a URI or a relative reference. */
export const isUriReference = referenceTest(ANY_SCHEME);

/** Tells whether the text is an IRI. */
export const isIri = referenceTest(SCHEME, international);

/** Tells whether the text is an IRI or a relative reference. */
export const isIriReference = referenceTest(ANY_SCHEME, international);

const NAME = '(?:\\w|%[0-9a-f]{2})(?:\\.?(?:\\w|%[0-9a-f]{2}))*(?::[1-9]\\d{0,3}|\\*)?';
const LITERAL = '[^\\x00-\\x20"<>\\\\^`{|}%\\x7f]|%[0-9a-f]{2}';
const TEMPLATE = new RegExp(`^(?:${LITERAL}|\\{[+#./;?&=,!@|]?${NAME}(?:,${NAME})*\\})*$`, 'i');

/** Tells whether the text is a template of URIs. */
export const isUriTemplate = (text: string): boolean => TEMPLATE.test(text);
