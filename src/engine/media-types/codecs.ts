/** Which codec speaks which media type. */

import type { Shape } from '../schema/shape';
import type { Codec } from './codec/codec';
import { formCodec } from './forms/form';
import { jsonCodec } from './json/json';
import { textCodec } from './text';
import { xmlCodec } from './xml/xml';

const byMediaType: ReadonlyMap<string, Codec> = new Map([
  ['application/json', jsonCodec],
  ['text/json', jsonCodec],
  ['application/xml', xmlCodec],
  ['text/xml', xmlCodec],
  ['application/x-www-form-urlencoded', formCodec],
  ['text/plain', textCodec],
]);

/** Structured syntax suffixes (RFC 6839). */
const bySuffix: ReadonlyMap<string, Codec> = new Map([
  ['+json', jsonCodec],
  ['+xml', xmlCodec],
]);

/** The codec of a media type; parameters and case do not count. Undefined where we speak none. */
export function codecFor(mediaType: string): Codec | undefined {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const suffix = essence.includes('+') ? essence.slice(essence.lastIndexOf('+')) : '';
  return byMediaType.get(essence) ?? bySuffix.get(suffix);
}

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
