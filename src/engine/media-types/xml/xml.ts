/**
 * XML as the engine reads and writes it: bytes become text by the encoding of the byte-order mark, the Content-Type or the XML declaration
 * (RFC 7303); names and structure are by the `xml` keywords of the schema (OAS 3.0.3, 3.2.0).
 */

import { MalformedText } from '../../../base/malformed-text';
import { type Shape, shapesIn } from '../../../schema/shape';
import { type Codec, decodeStrictly } from '../codec/codec';
import {
  isNil,
  MisplacedElement,
  malformedXml,
  normalizeLineEnds,
  quoteName,
  type ReadElement,
  type XmlElement,
} from './parser/xml-element';
import { parseXml } from './parser/xml-parser';
import {
  inheritedFrom,
  isNamed,
  type PrefixNamespaces,
  rootItemNames,
  rootNameOf,
  type XmlReading,
} from './xml-names';
import { itemElementsReader, xmlReader } from './xml-reader';
import {
  elementTags,
  itemWriters,
  type WriteElement,
  writeItems,
  type XmlWriting,
  xmlWriter,
} from './xml-writer';

/** Decoders of encodings that TextDecoder does not have as they are meant, by their names. */
const decoders: ReadonlyMap<string, (bytes: Uint8Array) => string> = new Map([
  ['utf-16', (bytes) => decodeStrictly(bytes, looksBigEndian(bytes) ? 'utf-16be' : 'utf-16le')],
  ['iso-8859-1', decodeLatin1],
  ['latin1', decodeLatin1],
  ['us-ascii', decodeAscii],
  ['ascii', decodeAscii],
]);

const DECLARED =
  /^<\?xml[ \t\r\n][^>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["']([A-Za-z0-9._-]+)["']/;

/**
 * Decodes an XML text. A byte-order mark comes first, then the charset of the Content-Type, then the declaration, then
 * UTF-8. Unknown encodings and bytes that mean no character throw MalformedText.
 */
export function decodeXml(bytes: Uint8Array, charset: string | undefined): string {
  const encoding = encodingOfMark(bytes) ?? charset ?? encodingOfStart(bytes) ?? 'utf-8';
  return decoders.get(encoding.toLowerCase())?.(bytes) ?? decodeStrictly(bytes, encoding);
}

const beginsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (beginsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (beginsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  return beginsWith(bytes, 0xff, 0xfe) ? 'utf-16le' : undefined;
}

const looksBigEndian = (bytes: Uint8Array): boolean =>
  encodingOfMark(bytes) === 'utf-16be' || beginsWith(bytes, 0x00, 0x3c);

/** XML 1.0, appendix F: the first characters are `<?`, whatever the encoding. */
function encodingOfStart(bytes: Uint8Array): string | undefined {
  if (beginsWith(bytes, 0x00, 0x3c)) return 'utf-16be';
  if (beginsWith(bytes, 0x3c, 0x00)) return 'utf-16le';
  return DECLARED.exec(decodeLatin1(bytes.subarray(0, 256)))?.[1];
}

/** ISO-8859-1 proper: TextDecoder would read windows-1252 under that name. */
function decodeLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function decodeAscii(bytes: Uint8Array): string {
  if (bytes.some((byte) => byte > 0x7f)) throw new MalformedText('The text is not valid US-ASCII');
  return decodeLatin1(bytes);
}

/** Compiles the reader of a root element; one of another name throws MisplacedElement. */
function rootReader(shape: Shape, reading: XmlReading): (root: XmlElement) => unknown {
  const name = rootNameOf(shape, reading.prefixes);
  const read = contentReader(shape, reading);
  // A schema that gives the root element no name lets it have any.
  const isNameless =
    shape.type === 'any' &&
    shape.component === undefined &&
    shape.xml.name === undefined &&
    shape.alternatives.length === 0;
  const inherited = inheritedFrom(name, '');
  if (isNameless) return (root) => read(root, root.namespace);
  return (root) => {
    if (isNamed(root, name, '')) return read(root, inherited);
    const where = name.namespace === undefined ? '' : ` in namespace ${name.namespace}`;
    throw new MisplacedElement(root, `the root element must be ${quoteName(name.local)}${where}`);
  };
}

/** Tells whether a root is an array, whose items take their component's name: there is no property to take one from. */
const isPlainArray = (shape: Shape): boolean =>
  shape.type === 'array' && shape.alternatives.length === 0;

function contentReader(shape: Shape, reading: XmlReading): ReadElement {
  if (!isPlainArray(shape)) return xmlReader(shape, reading);
  const nameAt = rootItemNames(shape, reading.prefixes);
  const readItems = itemElementsReader(shape, (item) => xmlReader(item, reading));
  const readNull = xmlReader(shape, reading);
  return (root, inherited) =>
    isNil(root) ? readNull(root, inherited) : readItems(root, nameAt, inherited);
}

function contentWriter(shape: Shape, writing: XmlWriting): WriteElement {
  const writePlainly = xmlWriter(shape, writing);
  if (!isPlainArray(shape)) return writePlainly;
  const nameAt = rootItemNames(shape, writing.prefixes);
  const writerAt = itemWriters(shape, (item) => xmlWriter(item, writing));
  return (value, name, scope) =>
    Array.isArray(value)
      ? writeItems(value, name, nameAt, writerAt, scope)
      : writePlainly(value, name, scope);
}

/**
 * Returns the namespaces of prefixes that have none of their own: the one to which another schema of the same body binds the prefix,
 * usually the root, else a made-up one, because a prefix that is not bound is not well-formed (Namespaces in XML 1.0, section 5).
 */
function prefixNamespacesOf(root: Shape): PrefixNamespaces {
  const bound = new Map<string, string>();
  const unbound = new Set<string>();
  for (const { prefix, namespace } of shapesIn(root).map(({ xml }) => xml)) {
    if (prefix === undefined) continue;
    if (namespace === undefined) unbound.add(prefix);
    else if (!bound.has(prefix)) bound.set(prefix, namespace);
  }
  return new Map(
    [...unbound].map((prefix) => [prefix, bound.get(prefix) ?? `urn:prefix:${prefix}`]),
  );
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The codec of application/xml, text/xml and every `+xml` type (RFC 7303). */
export const xmlCodec: Codec = {
  name: 'xml',
  mediaTypes: ['application/xml', 'text/xml', '+xml'],
  charsets: {
    reads: (charset) =>
      decoders.has(charset.toLowerCase()) || /^utf-?(?:8|16[bl]e)$/i.test(charset),
    decode: decodeXml,
  },

  reader(shape, direction, limits) {
    const prefixes = prefixNamespacesOf(shape);
    // An object or a list that is compared as a whole keeps undeclared properties.
    const comparesPart = shapesIn(shape).some(
      ({ type, comparesWhole }) => comparesWhole && ['object', 'array', 'any'].includes(type),
    );
    const skipsIgnored = direction === 'request' && !comparesPart;
    const readRoot = rootReader(shape, { prefixes, skipsIgnored });
    return (text) => {
      const root = parseXml(text, prefixes, limits);
      try {
        return readRoot(root);
      } catch (error) {
        if (!(error instanceof MisplacedElement)) throw error;
        throw malformedXml(normalizeLineEnds(text), error.element.at, error.message);
      }
    };
  },

  writer(shape, direction) {
    const writing = { prefixes: prefixNamespacesOf(shape), direction };
    const name = rootNameOf(shape, writing.prefixes);
    const write = contentWriter(shape, writing);
    return (value) => DECLARATION + write(value, name, undefined);
  },

  listWriter(shape, direction) {
    if (!isPlainArray(shape) || shape.prefixItems.length > 0) return undefined;
    const writing = { prefixes: prefixNamespacesOf(shape), direction };
    const name = rootNameOf(shape, writing.prefixes);
    const itemName = rootItemNames(shape, writing.prefixes)(0);
    const writeItem = itemWriters(shape, (item) => xmlWriter(item, writing))(0);
    const { start, end, empty, inner } = elementTags(name, undefined);
    return {
      empty: DECLARATION + empty,
      open: DECLARATION + start,
      separator: '',
      close: end,
      item: (value) => writeItem(value, itemName, inner),
    };
  },
};
