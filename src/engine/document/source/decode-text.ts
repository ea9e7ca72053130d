/** Bytes of a file to text: UTF-8 or UTF-16, as YAML allows (YAML 1.2.2, section 5.2). */

import { textPositions } from '../../lang/text-position';
import { unreadable } from './source-text';

const encodingOf = (bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
};

/**
 * Decodes a file; a byte order mark is dropped.
 * @param file names the file in the fault
 * @throws UnreadableDocument where the bytes are not text in the encoding that they begin with
 */
export const decodeText = (file: string, bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    const name = encoding.slice(0, 6).toUpperCase();
    throw unreadable(
      file,
      'text-encoding',
      `The file is not valid ${name} from here on. Save it as UTF-8 text.`,
      textPositions(text)(Math.max(0, text.indexOf('\uFFFD'))),
    );
  }
};
