/** References of XML to characters: by number, and the five entities that XML itself has. */

import { findIllegalCharacter } from '../../../schema/xml-object';
import { malformedAt, type XmlCursor } from './xml-element';

const NUMBER_REFERENCE = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/;
/** From `&` to `;`. */
const LONGEST_REFERENCE = 9;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

const characterOf = (reference: string): string => {
  const known = ENTITIES.get(reference);
  if (known !== undefined) return known;
  const [, hex, decimal] = NUMBER_REFERENCE.exec(reference) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
  return findIllegalCharacter(character) >= 0 ? '' : character;
};

/** Replaces the references in a piece of text that begins at `offset`. No entity but the five of XML is known. */
export function resolveReferences(cursor: XmlCursor, piece: string, offset: number): string {
  let text = '';
  let from = 0;
  // An expression with a function takes twice as long, and a body may hold 250,000 references.
  for (let at = piece.indexOf('&'); at >= 0; at = piece.indexOf('&', from)) {
    const end = piece.indexOf(';', at);
    const character = end - at > LONGEST_REFERENCE ? '' : characterOf(piece.slice(at + 1, end));
    if (end < 0 || character === '') {
      throw malformedAt(cursor, 'a reference to no known entity or legal character', offset + at);
    }
    text += piece.slice(from, at) + character;
    from = end + 1;
  }
  return from === 0 ? piece : text + piece.slice(from);
}
