/** The XML Object of a schema (OAS 3.0.3), and which characters XML 1.0 allows in documents and names. */

import type { XmlObject } from '../model/schema';
import type { XmlNames } from './shape';

const NAME_START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const NAME_REST = `${NAME_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}`;

/** The source of a pattern (flag `u`) for a name without a colon: NCName of Namespaces in XML 1.0. */
export const namePattern = `[${NAME_START}][${NAME_REST}]*`;

const WHOLE_NAME = new RegExp(`^${namePattern}$`, 'u');
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const EVERY_ILLEGAL = new RegExp(ILLEGAL.source, 'gu');

/** Tells whether a text is an NCName: a legal XML name without a colon. */
export const isXmlName = (text: string): boolean => WHOLE_NAME.test(text);

/** Returns the place of the first character that XML 1.0 forbids (section 2.2, Char), or -1. */
export const findIllegalCharacter = (text: string): number => text.search(ILLEGAL);

const MARKUP = /[&<>\r]/;
const MARKUP_IN_ATTRIBUTE = /[&<>"\t\n\r]/;
const NEITHER_MARKUP_NOR_PLAIN = /[^\t\n\u0020-\u007e]/;
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
]);

const replaceCharacter = (character: string): string => REPLACEMENTS.get(character) ?? character;

/** Characters illegal in XML become U+FFFD, so that no value can make the output ill-formed. */
const replaceIllegal = (text: string): string =>
  NEITHER_MARKUP_NOR_PLAIN.test(text) ? text.replace(EVERY_ILLEGAL, '\uFFFD') : text;

/** Escapes text as the content of an element. */
export function escapeText(text: string): string {
  const legal = replaceIllegal(text);
  return MARKUP.test(legal) ? legal.replace(/[&<>\r]/g, replaceCharacter) : legal;
}

/** Writes text as CDATA sections; what none can hold, `]]>` and carriage returns (2.11), is divided among several. */
export const cdataSections = (text: string): string =>
  `<![CDATA[${replaceIllegal(text)
    .replaceAll(']]>', ']]]]><![CDATA[>')
    .replaceAll('\r', ']]>&#13;<![CDATA[')}]]>`;

/** Escapes text as an attribute value between double quotes; blanks other than the space survive normalisation (3.3.3). */
export function escapeAttribute(text: string): string {
  const legal = replaceIllegal(text);
  return MARKUP_IN_ATTRIBUTE.test(legal) ? legal.replace(/[&<>"\t\n\r]/g, replaceCharacter) : legal;
}

const XML_NAMESPACES = /^http:\/\/www\.w3\.org\/(XML\/1998\/namespace|2000\/xmlns\/)$/;

/** Reads the names with their defaults; a name or prefix that is not legal in XML counts as missing. */
export function readXmlObject(xml: XmlObject | undefined): XmlNames {
  const errors = [...(xml?.faults ?? [])];
  const given = (text: string | undefined) => (text === '' ? undefined : text);
  const keepIf = (
    text: string | undefined,
    good: (text: string) => boolean,
    expectation: string,
  ) => {
    if (text === undefined || good(text)) return text;
    errors.push(`xml ${expectation}: ${JSON.stringify(text)}`);
    return undefined;
  };
  const namespace = given(xml?.namespace);
  if (namespace !== undefined && !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(namespace)) {
    errors.push(`xml.namespace is not an absolute URI: ${JSON.stringify(namespace)}`);
  }
  return {
    name: keepIf(given(xml?.name), isXmlName, 'name is not a legal XML name and is ignored'),
    namespace: keepIf(
      namespace,
      (uri) => !XML_NAMESPACES.test(uri),
      'namespace is reserved and is ignored',
    ),
    prefix: keepIf(
      given(xml?.prefix),
      (prefix) => isXmlName(prefix) && !/^xml(ns)?$/i.test(prefix),
      'prefix is not a legal prefix and is ignored',
    ),
    nodeType: xml?.nodeType,
    omittedIsNull: xml?.omittedIsNull === true,
    errors,
  };
}
