/** Bytes to text for JSON, forms and plain text, all of which are UTF-8. */

import { MalformedText } from '../../lang/malformed-text';

/** UTF-8 and its subset. */
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;

/** Decodes UTF-8, with or without a byte-order mark; any other charset or invalid bytes throw MalformedText. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  if (charset !== undefined && !UTF_8.test(charset)) {
    throw new MalformedText('The charset must be UTF-8');
  }
  return decodeStrictly(bytes, 'utf-8');
}

/** Decodes without replacing anything: bytes that mean no character throw MalformedText. */
export function decodeStrictly(
  bytes: Uint8Array,
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be',
): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedText(`The text is not valid ${encoding.toUpperCase()}`);
  }
}

/** Why a text can be neither stored nor compared safely; undefined for every other text. */
export function findForbiddenCharacter(text: string): string | undefined {
  if (text.includes('\0')) return 'U+0000 is not allowed';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair is not allowed';
}
