/** Which codec carries a value of a shape in a media type, and what becomes of formats that we do not speak. */

import type { Shape } from '../schema/shape';
import type { Codec } from './codec/codec';
import { codecFor } from './codecs';

const isStructured = ({ type }: Shape): boolean => type === 'object' || type === 'array';

/**
 * The codec; undefined where there is none: for bytes, for formats that we do not speak, and for structured values as plain
 * text.
 */
export const contentCodec = (mediaType: string, shape: Shape): Codec | undefined => {
  if (shape.format === 'binary') return undefined;
  const codec = codecFor(mediaType);
  return codec?.name === 'text' && isStructured(shape) ? undefined : codec;
};

/**
 * Whether a body is handed over as it came, unchecked: a schema of a number, an object or a list says nothing of bytes in a
 * format that we do not speak (text/csv, application/pdf), and refusing every body would serve nobody.
 */
export const isUnchecked = (mediaType: string, shape: Shape): boolean =>
  contentCodec(mediaType, shape) === undefined &&
  shape.format !== 'binary' &&
  shape.type !== 'string' &&
  shape.type !== 'any';
