/** The media types of parts: which ones a property takes, and how a part that names none is read (OAS 3.0.3, Encoding Object). */

import { mediaTypeMatcher, parseMediaType } from '../../http/media-type';
import type { Shape } from '../../schema/shape';
import { codecFor } from '../codecs';
import type { PartHead } from './part';
import { isBytes } from './part';

/** The media types of one property's parts. */
interface PartContentType {
  /** The media type of a part that names none, without parameters. */
  readonly fallback: string;
  /** For messages. */
  readonly expected: string;
  takes(type: NonNullable<PartHead['type']>): boolean;
}

const byteStream = 'application/octet-stream';

/** Parts of an array are its items. */
const inOnePart = (shape: Shape): Shape => (shape.type === 'array' && shape.items) || shape;

/** The default by the kind of value. */
const defaultFor = (part: Shape): string => {
  if (isBytes(part)) return byteStream;
  return part.type === 'object' || part.type === 'array' ? 'application/json' : 'text/plain';
};

/** Clients label text and JSON as either, whatever the value; base64 is text that the specification calls a file. */
const takesByDefault = (part: Shape, essence: string): boolean => {
  if (part.type === 'any' || isBytes(part)) return true;
  if (part.format === 'byte' && essence === byteStream) return true;
  const codec = codecFor(essence)?.name;
  return codec === 'json' || codec === 'text' || (codec === undefined && /^text\//.test(essence));
};

/**
 * By `contentType` where the document gives one, a list of types and ranges; else by the kind of value.
 * @param contentType as the document has it: what is no text counts as none
 */
export const partContentType = (shape: Shape, contentType: unknown): PartContentType => {
  const part = inOnePart(shape);
  const byDefault = defaultFor(part);
  if (typeof contentType !== 'string') {
    return {
      fallback: byDefault,
      expected: byDefault,
      takes: ({ essence }) => takesByDefault(part, essence),
    };
  }
  const ranges = contentType.split(',').map((key) => ({ key: key.trim() }));
  const match = mediaTypeMatcher(ranges);
  const concrete = ranges
    .map(({ key }) => parseMediaType(key)?.essence)
    .find((essence) => essence !== undefined && !essence.includes('*'));
  return {
    fallback: concrete ?? byDefault,
    expected: ranges.map(({ key }) => key).join(', '),
    takes: (type) => match(type) !== undefined,
  };
};
