/** One part of a multipart body, its bounds and its media type (OAS 3.0.3, Encoding Object). */

import { mediaTypeMatcher, type ParsedMediaType, parseMediaType } from '../../http/media-type';
import type { Shape } from '../../schema/shape';
import { codecFor } from '../codecs';

/** What stands above a part's bytes. */
export interface PartHead {
  readonly name: string;
  /** Undefined: the part is no file. */
  readonly fileName: string | undefined;
  /** Undefined: the part does not say. */
  readonly type: ParsedMediaType | undefined;
  /** Lower-case names; of a repeated header all values, joined by commas. No prototype. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A part, whole. */
export interface Part extends PartHead {
  readonly bytes: Uint8Array;
}

/** Parts of one body, those that are dropped among them. */
export const mostParts = 1000;

/** Headers of one part. */
export const mostHeaders = 32;

/** Bytes of the headers of one part, line ends among them. */
export const mostHeaderBytes = 8 * 1024;

/** RFC 2046 section 5.1.1. */
export const longestBoundary = 70;

/** Whether values of the shape are bytes. */
export const isBytes = ({ type, format }: Shape): boolean =>
  format === 'binary' && (type === 'string' || type === 'any');

/** Whether a part may hold bytes: the shape itself, its items, or one of its alternatives. */
export const mayBeBytes = (shape: Shape, seen = new Set<Shape>()): boolean => {
  if (seen.has(shape)) return false;
  seen.add(shape);
  return (
    isBytes(shape) ||
    (shape.type === 'array' && shape.items !== undefined && mayBeBytes(shape.items, seen)) ||
    shape.alternatives.some((alternative) => mayBeBytes(alternative.shape, seen))
  );
};

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
