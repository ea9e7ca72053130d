/** Keys of maps as XML names: what no name may contain is written as `_xHHHH_` and read back. */

import { isXmlName } from '../../schema/xml-object';

/** The empty key; a code of no digits. */
const EMPTY = '_x_';
const CODES = /_x([0-9A-Fa-f]{8}|[0-9A-Fa-f]{4})_/g;
/** An underscore that would begin a code, perhaps together with the code of the character behind it. */
const BEGINS_CODE = /^_(?=x_$)|_(?=x[0-9A-Fa-f]{4})/g;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** The code of one character: its code point in four or eight hexadecimal digits. */
const encodeCharacter = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `_x${code.padStart(code.length > 4 ? 8 : 4, '0')}_`;
};

/** Whether a character may stand in a name. Those beyond the basic plane may, but many parsers do not know it. */
const isLegal = (character: string, isFirst: boolean): boolean =>
  character.length === 1 && isXmlName(isFirst ? character : `_${character}`);

/** A key as the local name of an element. */
export function encodeKey(key: string): string {
  if (key === '') return EMPTY;
  const unambiguous = key.replace(BEGINS_CODE, encodeCharacter);
  if (PLAIN_NAME.test(unambiguous)) return unambiguous;
  let name = '';
  for (const character of unambiguous) {
    name += isLegal(character, name === '') ? character : encodeCharacter(character);
  }
  return name;
}

/** A key as a name that cannot be a declared element's, although it may look the same as one. */
export const encodeKeyDistinctly = (key: string): string => {
  const [first = ''] = key;
  return encodeCharacter(first) + encodeKey(key.slice(first.length));
};

/** The key that a local name stands for. Codes of U+0000 and of halves of surrogate pairs mean themselves. */
export function decodeKey(name: string): string {
  if (name === EMPTY) return '';
  if (!name.includes('_x')) return name;
  return name.replace(CODES, (written, digits) => {
    const code = Number.parseInt(digits, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : written;
  });
}
