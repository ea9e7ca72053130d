/** Bytes to XML text: by the encoding of the byte-order mark, the Content-Type or the XML declaration (RFC 7303). */

import { MalformedText } from '../../../../base/malformed-text';
import { type Charsets, decodeStrictly } from '../../codec/codec';

/** Decoders by the names of their encodings. */
const decoders: ReadonlyMap<string, (bytes: Uint8Array) => string> = new Map([
  ['utf-8', (bytes) => decodeStrictly(bytes, 'utf-8')],
  ['utf8', (bytes) => decodeStrictly(bytes, 'utf-8')],
  ['utf-16', (bytes) => decodeStrictly(bytes, looksBigEndian(bytes) ? 'utf-16be' : 'utf-16le')],
  ['utf-16be', (bytes) => decodeStrictly(bytes, 'utf-16be')],
  ['utf-16le', (bytes) => decodeStrictly(bytes, 'utf-16le')],
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
  const decode = decoders.get(encoding.toLowerCase());
  if (!decode) throw new MalformedText('The encoding of the XML text is not supported');
  return decode(bytes);
}

/** The charsets of XML. */
export const xmlCharsets: Charsets = {
  reads: (charset) => decoders.has(charset.toLowerCase()),
  decode: decodeXml,
};

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
