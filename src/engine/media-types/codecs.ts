/** Which codec speaks which media type. */

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
