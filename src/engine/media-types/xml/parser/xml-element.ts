/** An XML document after parsing (elements, attributes, text, names resolved to namespaces), and what is wrong with one. */

import { MalformedText } from '../../../lang/malformed-text';
import { describePosition } from '../../../lang/text-position';

/** An attribute; namespace declarations are none. */
export interface XmlAttribute {
  /** As written, prefix included. */
  readonly name: string;
  readonly local: string;
  /** Empty where there is none. */
  readonly namespace: string;
  readonly value: string;
}

/** An element. */
export interface XmlElement {
  /** As written, prefix included. */
  readonly name: string;
  readonly local: string;
  /** Empty where there is none. */
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** Its own character data, without that of its children. */
  readonly text: string;
  /** Offset of the start tag. */
  readonly at: number;
}

/**
 * Reads the value of one element. `inherited` is the namespace that names without one of their own are in. An element
 * that the schema leaves no place for throws MisplacedElement; what does not fit otherwise is left for validation.
 */
export type ReadElement = (element: XmlElement, inherited: string) => unknown;

/** Namespaces that XML itself gives a meaning. */
export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
export const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';
/** XML Schema instance: `xsi:nil` and its siblings. */
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance';

const NOT_BLANK = /[^ \t\n\r]/;

/** Whether an element holds text other than blanks. */
export const hasText = (element: XmlElement): boolean => NOT_BLANK.test(element.text);

/** Whether an attribute says something of the document's data, not of its XML. */
export const isData = ({ namespace }: XmlAttribute): boolean =>
  namespace !== XSI_NAMESPACE && namespace !== XML_NAMESPACE;

/** Whether the element says that its value is null (XML Schema Part 1, section 2.6.2). */
export const isNil = (element: XmlElement): boolean =>
  element.attributes.some(
    ({ local, namespace, value }) =>
      namespace === XSI_NAMESPACE && local === 'nil' && (value === 'true' || value === '1'),
  );

/** Line ends are one line feed each (XML 1.0, section 2.11). */
export const normalizeLineEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;

/** The error to throw for a fault at an offset into the text with normalised line ends. */
export const malformedXml = (text: string, at: number, reason: string): MalformedText =>
  new MalformedText(`The XML text is malformed at ${describePosition(text, at)}: ${reason}`);

/** A name for a message, at a bearable length. */
export const quoteName = (name: string): string =>
  `<${name.length > 60 ? `${name.slice(0, 60)}…` : name}>`;

/** An element stands where the schema leaves no place for it; the codec makes a malformedXml of it. */
export class MisplacedElement extends MalformedText {
  readonly element: XmlElement;

  constructor(element: XmlElement, reason: string) {
    super(reason);
    this.name = 'MisplacedElement';
    this.element = element;
  }
}
