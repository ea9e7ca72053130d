/** The parts of one name to the value of a property, compiled from its shape; and the names and types of files. */

import { pointerTo } from '../../../base/json-pointer';
import { MalformedText, tryRead } from '../../../base/malformed-text';
import { memoize } from '../../../base/memoize';
import type { ReadLimits } from '../../../base/read-limits';
import { compileItems, compileReader } from '../../../schema/compile-per-shape';
import { isListOf, itemShape, itemShapes, type Shape } from '../../../schema/shape';
import type { Encodings } from '../codec/codec';
import type { Codecs } from '../codecs';
import { defaultTypeOf, mayBeBytes, type Part } from './multipart-fields';

/** The name and type of a file as its sender gave them; neither has been checked against the bytes. */
export interface FileInfo {
  /** As it was sent: perhaps with a path, and never fit to name a file of the server. */
  readonly name: string | undefined;
  /** The part's Content-Type without parameters, in lower case. */
  readonly mediaType: string | undefined;
  /** All headers of a part by its position, by lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

const infoOfBytes = new WeakMap<Uint8Array, FileInfo>();

/** Returns the name and type of bytes that came as a part; undefined for any others. */
export const fileInfo = (bytes: Uint8Array): FileInfo | undefined => infoOfBytes.get(bytes);

/** The formats and bounds of parts. */
export interface PartTools {
  readonly codecs: Codecs;
  readonly limits: ReadLimits;
  /** The shape of values that no schema describes. */
  readonly any: Shape;
  /** Of parts that are forms themselves. */
  readonly encodings?: Encodings | undefined;
}

/**
 * Reads all parts of one name, at least one; `path` is the JSON Pointer of the value. Throws MalformedText.
 * @param fallback the media type of parts that name none; that of their kind of value unless given
 */
export type ReadValue = (parts: readonly Part[], path: string, fallback?: string) => unknown;

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

/** Returns the codec of a part's media type, also one that carries some shapes alone. */
export const codecOf = (essence: string, shape: Shape, { codecs }: Pick<PartTools, 'codecs'>) =>
  codecs.codecFor(essence) ?? codecs.contentCodec(essence, shape);

/**
 * Returns the media type to read a part in. Text stands for a scalar, and is JSON for an object or array; so does a part of another
 * type that no codec reads a scalar from, but for a picture that is neither declared nor base64.
 */
const essenceFor = (part: Part, shape: Shape, tools: PartTools, fallback: string): string => {
  const { type, contentEncoding } = shape;
  const essence = part.type?.essence ?? fallback;
  const codec = codecOf(essence, shape, tools)?.name;
  const isStructure = type === 'object' || type === 'array';
  const isText = codec === 'text' || (codec === undefined && essence.startsWith('text/'));
  if (isText) return isStructure ? 'application/json' : 'text/plain';
  const isMeant = essence === fallback || contentEncoding !== undefined;
  const isItself = isMeant || !/^(?:audio|font|image|video)\//.test(essence);
  return codec === undefined && type !== 'any' && !isStructure && isItself ? 'text/plain' : essence;
};

/** Decodes a value; the path of an error then begins with that of the value. */
export const decodeAt = <Value>(path: string, decode: () => Value): Value => {
  try {
    return decode();
  } catch (error) {
    if (error instanceof MalformedText) throw new MalformedText(error.message, path + error.path);
    throw error;
  }
};

const partDecoder = (
  shape: Shape,
  tools: PartTools,
): ((part: Part, path: string, fallback?: string) => unknown) => {
  const { codecs, limits, encodings } = tools;
  const decoderOf = memoize(
    (essence: string) => codecs.decoderFor(essence, shape, encodings, limits),
    { max: 16 },
  );
  return (part, path, fallback = defaultTypeOf(shape)) => {
    const essence = essenceFor(part, shape, tools, fallback);
    if (codecOf(essence, shape, tools) !== undefined) {
      const charset = part.type?.parameters['charset'];
      return decodeAt(path, () => decoderOf(essence)(part.bytes, charset));
    }
    if (shape.type === 'any') return bytesOf(part);
    throw new MalformedText(`The part cannot be read as ${essence}`, path);
  };
};

/**
 * Makes the reader of a single part that is the whole array, as JSON, as documentation pages send it, or in a format of lists;
 * undefined if it is not. An array of files never is.
 */
const wholeArrayReader = (
  shape: Shape,
  tools: PartTools,
): ((parts: readonly Part[], path: string, fallback: string) => unknown[] | undefined) => {
  if (itemShapes(shape).some((item) => mayBeBytes(item))) return () => undefined;
  const { codecs, any } = tools;
  const read = partDecoder(shape, tools);
  const first = itemShape(shape, 0) ?? any;
  const mayBeWhole = (part: Part, fallback: string): boolean => {
    const essence = essenceFor(part, first, tools, fallback);
    const codec = codecs.codecFor(essence)?.name;
    return (
      codec === 'json' || (codec === undefined && codecOf(essence, shape, tools) !== undefined)
    );
  };
  return ([part, second], path, fallback) => {
    if (part === undefined || second !== undefined || !mayBeWhole(part, fallback)) return undefined;
    const value = tryRead(() => read(part, path, fallback));
    return isListOf(shape, value) ? value : undefined;
  };
};

const arrayReader = (shape: Shape, compile: Compile, tools: PartTools): ReadValue => {
  const readWhole = wholeArrayReader(shape, tools);
  const readerOf = (item: Shape) => ({ read: compile(item), byDefault: defaultTypeOf(item) });
  const readerAt = compileItems(shape, readerOf, readerOf(tools.any));
  return (parts, path, fallback) =>
    readWhole(parts, path, fallback ?? readerAt(0).byDefault) ??
    parts.map((part, index) => {
      const { read, byDefault } = readerAt(index);
      return read([part], pointerTo(path, index), fallback ?? byDefault);
    });
};

/** Compiles the reader of a property. */
export const partsReader = (property: Shape, tools: PartTools): ReadValue =>
  compileReader<readonly Part[], [path: string, fallback?: string]>((shape, compile) => {
    if (shape.isBinary) return (parts, path) => bytesOf(onlyOne(parts, path));
    if (shape.type === 'array' && itemShapes(shape).length > 0) {
      return arrayReader(shape, compile, tools);
    }
    const decode = partDecoder(shape, tools);
    return (parts, path, fallback) => decode(onlyOne(parts, path), path, fallback);
  })(property);

/** Compiles the reader of a value that is one part, a list too; the path is that of the value. */
export const wholePartReader = (
  shape: Shape,
  tools: PartTools,
): ((part: Part, path: string, fallback: string) => unknown) => {
  const read = compileReader<Part, [path: string, fallback: string]>((inner) =>
    inner.isBinary ? bytesOf : partDecoder(inner, tools),
  )(shape);
  return (part, path, fallback) => {
    const value = read(part, path, fallback);
    const { fileName: name, type, headers } = part;
    if (value === part.bytes)
      infoOfBytes.set(part.bytes, { name, mediaType: type?.essence, headers });
    return value;
  };
};
