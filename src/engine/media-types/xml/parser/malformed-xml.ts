/** Errors of malformed XML texts, with line and column. */

import { MalformedText } from '../../../lang/malformed-text';
import { describePosition } from '../../../lang/text-position';
import type { XmlElement } from './xml-element';

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
