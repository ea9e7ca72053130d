/** Texts as octets of UTF-8. */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Encodes a text as UTF-8. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Decodes UTF-8; throws for other bytes, which only `format: byte` can carry. */
export function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error('Octets that are no UTF-8 text must be declared as format: byte to be written');
  }
}
