/** Faults of XML texts, with line and column. */

import { MalformedText } from './codec';
import type { XmlElement } from './xml-element';

/** Line ends are one line feed each (XML 1.0, section 2.11). */
export const normalizeLineEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;

/** The error to throw for a fault at an offset into the text with normalised line ends. */
export function xmlFault(text: string, at: number, problem: string): MalformedText {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  return new MalformedText(
    `The XML text is malformed at line ${line}, column ${column}: ${problem}`,
  );
}

/** A name for a message, at a bearable length. */
export const quoteName = (name: string): string =>
  `<${name.length > 60 ? `${name.slice(0, 60)}…` : name}>`;

/** An element stands where the schema leaves no place for it. */
export class MisplacedElement extends Error {
  readonly element: XmlElement;

  constructor(element: XmlElement, problem: string) {
    super(problem);
    this.name = 'MisplacedElement';
    this.element = element;
  }
}

/** What `read` gives, or undefined where an element is out of place for it. */
export function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof MisplacedElement) return undefined;
    throw error;
  }
}
