/** Bytes (`format: binary`) in formats that are text: the UTF-8 text that they are. */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of a text. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The text of bytes; throws where they are none, which only `format: byte` can carry. */
export function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error('Octets that are no UTF-8 text must be declared as format: byte to be written');
  }
}
