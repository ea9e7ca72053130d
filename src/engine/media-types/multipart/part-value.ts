/** The parts of one name to the value of a property, compiled from its shape; and the names and types of files. */

import { pointerTo } from '../../../base/json-pointer';
import { MalformedText, tryRead } from '../../../base/malformed-text';
import { memoize } from '../../../base/memoize';
import type { ReadLimits } from '../../../base/read-limits';
import { compileReader } from '../../../schema/compile-per-shape';
import type { Shape } from '../../../schema/shape';
import type { Codecs } from '../codecs';
import { isBytes, mayBeBytes, type Part } from './multipart-fields';

/** The name and type of a file as its sender gave them; neither has been checked against the bytes. */
export interface FileInfo {
  /** As it was sent: perhaps with a path, and never fit to name a file of the server. */
  readonly name: string | undefined;
  /** The part's Content-Type without parameters, in lower case. */
  readonly mediaType: string | undefined;
}

const infoOfBytes = new WeakMap<Uint8Array, FileInfo>();

/** Returns the name and type of bytes that came as a part; undefined for any others. */
export const fileInfo = (bytes: Uint8Array): FileInfo | undefined => infoOfBytes.get(bytes);

/** The formats and bounds of parts. */
export interface PartTools {
  readonly codecs: Codecs;
  readonly limits: ReadLimits;
}

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
  infoOfBytes.set(part.bytes, { name: part.fileName, mediaType: part.type?.essence });
  return part.bytes;
};

/**
 * Returns the media type to read a part in. Text stands for a scalar, and is JSON for an object or array; base64 is text under any
 * media type.
 */
const essenceFor = (essence: string, { type, format }: Shape, codecs: Codecs): string => {
  const codec = codecs.codecFor(essence)?.name;
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
  { codecs, limits }: PartTools,
): ((part: Part, path: string) => unknown) => {
  const decoderOf = memoize((essence: string) => codecs.decoderFor(essence, shape, {}, limits), {
    max: 16,
  });
  return (part, path) => {
    const essence = essenceFor(part.type?.essence ?? fallback, shape, codecs);
    if (codecs.codecFor(essence) !== undefined) {
      const charset = part.type?.parameters['charset'];
      return decodeAt(path, () => decoderOf(essence)(part.bytes, charset));
    }
    if (shape.type === 'any') return bytesOf(part);
    throw new MalformedText(`The part must not be sent as ${essence}`, path);
  };
};

/**
 * Makes the reader of a single part that is the whole array as JSON, as documentation pages send it; undefined if it is not. An
 * array of files never is.
 */
const wholeArrayReader = (
  shape: Shape,
  items: Shape,
  fallback: string,
  tools: PartTools,
): ((parts: readonly Part[], path: string) => unknown[] | undefined) => {
  if (mayBeBytes(items)) return () => undefined;
  const { codecs } = tools;
  const read = partDecoder(shape, fallback, tools);
  const isJson = (part: Part): boolean =>
    codecs.codecFor(essenceFor(part.type?.essence ?? fallback, items, codecs))?.name === 'json';
  const isWhole = (value: unknown): value is unknown[] =>
    Array.isArray(value) && (items.type !== 'array' || value.every(Array.isArray));
  return ([part, second], path) => {
    if (part === undefined || second !== undefined || !isJson(part)) return undefined;
    const value = tryRead(() => read(part, path));
    return isWhole(value) ? value : undefined;
  };
};

/** Makes the reader of an array whose parts are its items. */
const arrayReader = (
  shape: Shape,
  items: Shape,
  fallback: string,
  readItem: ReadValue,
  tools: PartTools,
): ReadValue => {
  const readWhole = wholeArrayReader(shape, items, fallback, tools);
  return (parts, path) =>
    readWhole(parts, path) ?? parts.map((part, index) => readItem([part], pointerTo(path, index)));
};

const plainReader = (
  shape: Shape,
  fallback: string,
  compile: Compile,
  tools: PartTools,
): ReadValue => {
  if (isBytes(shape)) return (parts, path) => bytesOf(onlyOne(parts, path));
  if (shape.type === 'array' && shape.items) {
    return arrayReader(shape, shape.items, fallback, compile(shape.items), tools);
  }
  const decode = partDecoder(shape, fallback, tools);
  return (parts, path) => decode(onlyOne(parts, path), path);
};

/**
 * Compiles the reader of a property.
 * @param fallback the media type of parts that name none
 */
export const partsReader = (shape: Shape, fallback: string, tools: PartTools): ReadValue =>
  compileReader<readonly Part[], [path: string]>((inner, compile) =>
    plainReader(inner, fallback, compile, tools),
  )(shape);
