/** An XML document after parsing (elements, attributes, text, names resolved to namespaces), and the steps through its text. */

import { MalformedText } from '../../../../base/malformed-text';
import { describePosition } from '../../../../base/text/text-position';
import { namePattern } from '../../../../schema/xml-object';

/** An attribute; namespace declarations are none. */
export interface XmlAttribute {
  /** As written, prefix included. */
  readonly name: string;
  readonly local: string;
  /** Empty for no namespace. */
  readonly namespace: string;
  readonly value: string;
}

/** An element. */
export interface XmlElement {
  /** As written, prefix included. */
  readonly name: string;
  readonly local: string;
  /** Empty for no namespace. */
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** Its own character data, without that of its children. */
  readonly text: string;
  /** The same without blanks between markup, where there is a CDATA section. */
  readonly data: string | undefined;
  /** The length of the text of its parent before it. */
  readonly behind: number;
  /** Offset of the start tag. */
  readonly at: number;
}

/**
 * Reads the value of one element. `inherited` is the namespace that names without one of their own are in. An element
 * that the schema has no place for throws MisplacedElement; all else that does not fit is left for validation.
 */
export type ReadElement = (element: XmlElement, inherited: string) => unknown;

/** Namespaces that XML itself gives a meaning. */
export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
export const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';
/** XML Schema instance: `xsi:nil` and its siblings. */
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance';

const NOT_BLANK = /[^ \t\n\r]/;

/** Tells whether a text is more than blanks. */
export const isFilled = (text: string): boolean => NOT_BLANK.test(text);

/** Tells whether an element holds text other than blanks. */
export const hasText = (element: XmlElement): boolean => isFilled(element.text);

/** Tells whether an attribute belongs to the data, not to XML itself. */
export const isData = ({ namespace }: XmlAttribute): boolean =>
  namespace !== XSI_NAMESPACE && namespace !== XML_NAMESPACE;

/** Tells whether the value of an element is null (XML Schema Part 1, section 2.6.2). */
export const isNil = (element: XmlElement): boolean =>
  element.attributes.some(
    ({ local, namespace, value }) =>
      namespace === XSI_NAMESPACE && local === 'nil' && (value === 'true' || value === '1'),
  );

/** Turns line ends into one line feed each (XML 1.0, section 2.11). */
export const normalizeLineEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;

/** Makes the error at an offset into the text with normalized line ends. */
export const malformedXml = (text: string, at: number, reason: string): MalformedText =>
  new MalformedText(`The XML text is malformed at ${describePosition(text, at)}: ${reason}`);

/** Quotes a name for a message, shortened. */
export const quoteName = (name: string): string =>
  `<${name.length > 60 ? `${name.slice(0, 60)}…` : name}>`;

/** The error for an element that the schema has no place for; the codec makes a malformedXml of it. */
export class MisplacedElement extends MalformedText {
  readonly element: XmlElement;

  constructor(element: XmlElement, reason: string) {
    super(reason);
    this.name = 'MisplacedElement';
    this.element = element;
  }
}

/** The position of the parser in its text. */
export interface XmlCursor {
  readonly text: string;
  at: number;
}

/** Most names have neither a colon nor a letter beyond ASCII. */
const SIMPLE_NAME = /[A-Za-z_][A-Za-z0-9_.-]*(?=[ \t\n=/>?])/y;
const QUALIFIED_NAME = new RegExp(`(?:(${namePattern}):)?(${namePattern})`, 'uy');

/** Makes the error at the cursor, or at another offset. */
export const malformedAt = ({ text, at }: XmlCursor, reason: string, offset = at) =>
  malformedXml(text, offset, reason);

/** Tells whether the text goes on with `start`. */
export const startsWith = ({ text, at }: XmlCursor, start: string): boolean =>
  text.startsWith(start, at);

/** Skips blanks; returns false if there were none. */
export function skipBlanks(cursor: XmlCursor): boolean {
  const start = cursor.at;
  while (isBlank(cursor.text[cursor.at])) cursor.at += 1;
  return cursor.at > start;
}

const isBlank = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\t';

/** Takes `start`, which must follow. */
export function takeExpected(cursor: XmlCursor, start: string): void {
  if (!startsWith(cursor, start)) throw malformedAt(cursor, `"${start}" expected`);
  cursor.at += start.length;
}

/** Takes everything up to `end`, and `end` itself. */
export function takeUntil(cursor: XmlCursor, end: string, what: string): string {
  const found = cursor.text.indexOf(end, cursor.at);
  if (found < 0) throw malformedAt(cursor, `${what} without an end`);
  const content = cursor.text.slice(cursor.at, found);
  cursor.at = found + end.length;
  return content;
}

/** A name in its parts. */
export interface QualifiedName {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
}

/** Takes a name with at most one colon (Namespaces in XML 1.0, section 4). */
export function takeName(cursor: XmlCursor): QualifiedName {
  SIMPLE_NAME.lastIndex = cursor.at;
  if (SIMPLE_NAME.test(cursor.text)) {
    const name = cursor.text.slice(cursor.at, SIMPLE_NAME.lastIndex);
    cursor.at = SIMPLE_NAME.lastIndex;
    return { name, prefix: '', local: name };
  }
  QUALIFIED_NAME.lastIndex = cursor.at;
  const found = QUALIFIED_NAME.exec(cursor.text);
  if (!found) throw malformedAt(cursor, 'a name expected');
  cursor.at = QUALIFIED_NAME.lastIndex;
  return { name: found[0], prefix: found[1] ?? '', local: found[2] ?? '' };
}

/** Skips a comment, which may not contain "--". */
export function skipComment(cursor: XmlCursor): void {
  takeExpected(cursor, '<!--');
  takeUntil(cursor, '--', 'a comment');
  if (!startsWith(cursor, '>')) throw malformedAt(cursor, '"--" is not allowed in comments');
  cursor.at += 1;
}

/** Skips a processing instruction. */
export function skipInstruction(cursor: XmlCursor): void {
  const start = cursor.at;
  takeExpected(cursor, '<?');
  const { name } = takeName(cursor);
  if (/^xml$/i.test(name)) {
    throw malformedAt(cursor, 'an XML declaration stands at the very start or nowhere', start);
  }
  if (!startsWith(cursor, '?>') && !skipBlanks(cursor)) throw malformedAt(cursor, '"?>" expected');
  takeUntil(cursor, '?>', `the instruction ${quoteName(`?${name}?`)}`);
}
