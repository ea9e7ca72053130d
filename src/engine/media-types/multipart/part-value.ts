/** The parts of one name to the value of a property, compiled from its shape, and what the sender said about files. */

import { pointerTo } from '../../../base/json-pointer';
import { MalformedText, tryRead } from '../../../base/malformed-text';
import { memoize } from '../../../base/memoize';
import { compileReader } from '../../schema/compile-per-shape';
import type { Shape } from '../../schema/shape';
import type { ReadLimits } from '../codec/codec';
import { codecFor, decoderFor } from '../codecs';
import { isBytes, mayBeBytes, type Part } from './part';

/** A file's own name and type. Neither has been checked against the bytes. */
export interface FileInfo {
  /** As it was sent: perhaps with a path, and never fit to name a file of the server. */
  readonly name: string | undefined;
  /** The part's Content-Type without parameters, in lower case. */
  readonly mediaType: string | undefined;
}

const factsByBytes = new WeakMap<Uint8Array, FileInfo>();

/** Remembers the facts for as long as the bytes live. */
const rememberFile = (bytes: Uint8Array, facts: FileInfo): void => {
  factsByBytes.set(bytes, facts);
};

/** The facts of bytes that came as a part; undefined for any others. */
export const fileInfo = (bytes: Uint8Array): FileInfo | undefined => factsByBytes.get(bytes);

/** Reads all parts of one name, at least one; `path` is the JSON Pointer of the value. Throws MalformedText. */
export type ReadValue = (parts: readonly Part[], path: string) => unknown;

type Compile = (shape: Shape) => ReadValue;

const onlyOne = (parts: readonly Part[], path: string): Part => {
  const [part, second] = parts;
  if (part === undefined || second !== undefined) {
    throw new MalformedText('A single value is given twice', path);
  }
  return part;
};

const bytesOf = (part: Part): Uint8Array => {
  rememberFile(part.bytes, { name: part.fileName, mediaType: part.type?.essence });
  return part.bytes;
};

/**
 * The format to read a part in. Text stands for a scalar, and is JSON where the value has parts; base64 is text under
 * whatever name.
 */
const essenceFor = (essence: string, { type, format }: Shape): string => {
  const codec = codecFor(essence)?.name;
  const isText = codec === 'text' || (codec === undefined && essence.startsWith('text/'));
  if (isText) return type === 'object' || type === 'array' ? 'application/json' : 'text/plain';
  return codec === undefined && format === 'byte' ? 'text/plain' : essence;
};

const decodeAt = (path: string, decode: () => unknown): unknown => {
  try {
    return decode();
  } catch (error) {
    if (error instanceof MalformedText) throw new MalformedText(error.message, path + error.path);
    throw error;
  }
};

/** Makes the reader of one part by its media type. */
const partDecoder = (
  shape: Shape,
  fallback: string,
  limits: ReadLimits,
): ((part: Part, path: string) => unknown) => {
  const decoderOf = memoize((essence: string) => decoderFor(essence, shape, {}, limits), {
    max: 16,
  });
  return (part, path) => {
    const essence = essenceFor(part.type?.essence ?? fallback, shape);
    if (codecFor(essence) !== undefined) {
      const charset = part.type?.parameters['charset'];
      return decodeAt(path, () => decoderOf(essence)(part.bytes, charset));
    }
    if (shape.type === 'any') return bytesOf(part);
    throw new MalformedText(`The part must not be sent as ${essence}`, path);
  };
};

/**
 * A single part may be the whole array as JSON, as documentation pages send it. Gives undefined where it is not; an array of
 * files is never taken for one.
 */
const wholeArrayReader = (
  shape: Shape,
  items: Shape,
  fallback: string,
  limits: ReadLimits,
): ((parts: readonly Part[], path: string) => unknown[] | undefined) => {
  if (mayBeBytes(items)) return () => undefined;
  const read = partDecoder(shape, fallback, limits);
  const isJson = (part: Part): boolean =>
    codecFor(essenceFor(part.type?.essence ?? fallback, items))?.name === 'json';
  const isWhole = (value: unknown): value is unknown[] =>
    Array.isArray(value) && (items.type !== 'array' || value.every(Array.isArray));
  return ([part, second], path) => {
    if (part === undefined || second !== undefined || !isJson(part)) return undefined;
    const value = tryRead(() => read(part, path));
    return isWhole(value) ? value : undefined;
  };
};

/** Parts are items. */
const arrayReader = (
  shape: Shape,
  items: Shape,
  fallback: string,
  readItem: ReadValue,
  limits: ReadLimits,
): ReadValue => {
  const readWhole = wholeArrayReader(shape, items, fallback, limits);
  return (parts, path) =>
    readWhole(parts, path) ?? parts.map((part, index) => readItem([part], pointerTo(path, index)));
};

const plainReader = (
  shape: Shape,
  fallback: string,
  compile: Compile,
  limits: ReadLimits,
): ReadValue => {
  if (isBytes(shape)) return (parts, path) => bytesOf(onlyOne(parts, path));
  if (shape.type === 'array' && shape.items) {
    return arrayReader(shape, shape.items, fallback, compile(shape.items), limits);
  }
  const decode = partDecoder(shape, fallback, limits);
  return (parts, path) => decode(onlyOne(parts, path), path);
};

/**
 * Compiles the reader of a property.
 * @param fallback the media type of parts that name none
 */
export const partsReader = (shape: Shape, fallback: string, limits: ReadLimits): ReadValue =>
  compileReader<readonly Part[], [path: string]>((inner, compile) =>
    plainReader(inner, fallback, compile, limits),
  )(shape);
