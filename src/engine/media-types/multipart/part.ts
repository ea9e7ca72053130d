/** One part of a multipart body, and the bounds of such a body. */

import type { ParsedMediaType } from '../../http/media-type';
import type { Shape } from '../../schema/shape';

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
