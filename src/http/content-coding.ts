/** Content codings (RFC 9110 section 8.4): takes them off a body that has come, within a bound. */

import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib';
import { errorMessage } from '../base/error-message';
import { listElements } from '../base/text/list-elements';

/** The Accept-Encoding of what is read here. Plain bodies go before: their entity tags are strong, and their streams come at once. */
export const acceptEncoding = 'identity, gzip;q=0.5, deflate;q=0.5, br;q=0.5';

/** Lists the codings of a Content-Encoding in the order in which they were applied; x-gzip is an old name of gzip (section 8.4.1.3). */
export const codingsIn = (contentEncoding: string): readonly string[] =>
  listElements(contentEncoding.toLowerCase())
    .filter((coding) => coding !== 'identity')
    .map((coding) => coding.replace(/^x-gzip$/, 'gzip'));

/** The error of a body whose codings cannot be taken off; the message is a sentence. */
export class UndecodableContent extends Error {}

type Decompress = (bytes: Buffer, bounds: { readonly maxOutputLength: number }) => Promise<Buffer>;

const [zlib, bare] = [promisify(inflate), promisify(inflateRaw)];

const decompressors: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  // Some leave out the header of zlib, which begins with its method, 8 (RFC 9110 section 8.4.1.2).
  ['deflate', (bytes, bounds) => ((bytes[0] ?? 0) % 16 === 8 ? zlib : bare)(bytes, bounds)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Decodes a body, the last coding first.
 * @param contentEncoding the codings in the order in which they were applied; of more than five the rest is left out
 * @param most bytes that come of each of them
 * @param isWhole false for the beginning of a body, which is decoded as far as it has come
 * @throws UndecodableContent
 */
export const decodeContent = async (
  body: Buffer,
  contentEncoding: string | undefined,
  most: number,
  isWhole = true,
): Promise<Buffer> => {
  let bytes = body;
  for (const coding of codingsIn(contentEncoding ?? '')
    .slice(0, 5)
    .reverse()) {
    // Nothing at all comes to HEAD, or with 304, whatever the header says of the rest.
    if (bytes.length === 0) break;
    const decompress = decompressors.get(coding);
    if (decompress === undefined) {
      throw new UndecodableContent('The Content-Encoding is not supported');
    }
    const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
    const finishFlush = coding === 'br' ? BROTLI_OPERATION_FLUSH : Z_SYNC_FLUSH;
    const bounds = { maxOutputLength: most, ...(!isWhole && { finishFlush }) };
    bytes = await decompress(bytes, bounds).catch((error: unknown): never => {
      const isLong = Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE';
      const reason = isLong ? `it is longer than ${most} bytes` : errorMessage(error);
      throw new UndecodableContent(`The body cannot be decoded from ${coding}: ${reason}`);
    });
  }
  return bytes;
};
