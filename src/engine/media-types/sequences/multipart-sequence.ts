/** Multipart contents whose parts are items, by their positions (OAS 3.2.0, Encoding By Position). */

import { randomBytes } from 'node:crypto';
import { isNumeric } from '../../../base/exact-number';
import { pointerTo } from '../../../base/json-pointer';
import {
  concreteMediaType,
  inUtf8,
  isTextType,
  type ParsedMediaType,
  parseMediaType,
} from '../../../base/media-type';
import { lazy, memoize } from '../../../base/memoize';
import type { Encoding, MediaType } from '../../../model/operation';
import { anySchema, schemaOf } from '../../../model/schema';
import { itemShape, type Shape, type ShapeOf } from '../../../schema/shape';
import {
  type ItemLimits,
  type ItemReader,
  type ItemWriter,
  largeItem,
  pendingBytes,
} from '../items/item-format';
import {
  declaredTypes,
  declaredUse,
  defaultTypeOf,
  fallbackTypeOf,
  malformedBody,
  mostParts,
  type Part,
  partContentType,
  partHeadersCheck,
  readPartHead,
} from '../multipart/multipart-fields';
import { codecOf, decodeAt, wholePartReader } from '../multipart/part-value';
import { partSplitter } from '../multipart/split-parts';
import type { SchemaContext } from '../schema-context';

/** The description of a value that its part begins with. */
export interface PartInfo {
  /** The one that is meant, where the document allows several. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const infoOfValues = new WeakMap<object, PartInfo>();

/**
 * Sets media type and headers of one multipart item; returns the item.
 * @example yield describePart(bytes, { mediaType: 'image/png', headers: { 'Content-Range': 'bytes 0-99/1000' } });
 */
export const describePart = <Value extends object>(value: Value, info: PartInfo): Value => {
  infoOfValues.set(value, info);
  return value;
};

interface PartList {
  readonly list: Shape;
  readonly prefixEncoding: readonly Encoding[];
  readonly itemEncoding: Encoding | undefined;
}

const partListOf = (content: MediaType, { shapeOf }: SchemaContext): PartList => {
  const { schema, itemSchema, prefixEncoding, itemEncoding } = content;
  const list = itemSchema ? schemaOf({ types: ['array'], items: itemSchema }) : schema;
  return { list: shapeOf(list ?? anySchema), prefixEncoding, itemEncoding };
};

/** Compiles something for each position; those behind all that are described have the same. */
const byPosition = <Compiled>(
  { list, prefixEncoding, itemEncoding }: PartList,
  { shapeOf }: SchemaContext,
  compile: (shape: Shape, encoding: Encoding | undefined) => Compiled,
): ((index: number) => Compiled) => {
  const last = Math.max(list.prefixItems.length, prefixEncoding.length);
  const compiledAt = memoize(
    (index: number) =>
      compile(itemShape(list, index) ?? shapeOf(anySchema), prefixEncoding[index] ?? itemEncoding),
    { max: last + 1 },
  );
  return (index) => compiledAt(Math.min(index, last));
};

/** Returns the parts of a part that is multipart itself; undefined where its value is no list. */
const nestedParts = (list: Shape, encoding: Encoding | undefined): PartList | undefined =>
  list.type === 'array'
    ? {
        list,
        prefixEncoding: encoding?.prefixEncoding ?? [],
        itemEncoding: encoding?.itemEncoding,
      }
    : undefined;

/** Tells whether a content consists of parts, which have media types and charsets of their own. */
export const isMultipart = (mediaType: string): boolean => /^\s*multipart\//i.test(mediaType);

const partReader = (
  shape: Shape,
  encoding: Encoding | undefined,
  limits: ItemLimits,
  tools: SchemaContext,
): ((part: Part) => unknown) => {
  const check = declaredUse(shape, encoding, tools, () => '');
  const any = tools.shapeOf(anySchema);
  const { values, textBytes = limits.itemBytes } = limits;
  const bounds = { codecs: tools.codecs, limits: values, any, encodings: encoding?.encoding };
  const read = wholePartReader(shape, bounds);
  const isFree = shape.type === 'any' && shape.alternatives.length === 0;
  const byDefault = isFree ? 'application/octet-stream' : defaultTypeOf(shape);
  const fallback = fallbackTypeOf(encoding) ?? byDefault;
  const inner = nestedParts(shape, encoding);
  const readInner = inner && lazy(() => wholeReader(inner, limits, tools));
  return (part) => {
    check(part);
    const isText = codecOf(part.type?.essence ?? fallback, shape, tools) !== undefined;
    if (isText && part.bytes.length > textBytes) throw largeItem(textBytes);
    return part.type !== undefined && isMultipart(part.type.essence) && readInner !== undefined
      ? readInner()(part.bytes, part.type)
      : read(part, '', fallback);
  };
};

const partReaders = (parts: PartList, limits: ItemLimits, tools: SchemaContext) =>
  byPosition(parts, tools, (shape, encoding) => partReader(shape, encoding, limits, tools));

/** Makes a splitter into parts whose bodies have at most `itemBytes`. */
const itemSplitter = ({ parameters }: ParsedMediaType, itemBytes: number) => {
  const body = pendingBytes(itemBytes);
  const splitter = partSplitter<Part>(parameters['boundary'], (headers) => {
    const head = readPartHead(headers, 'positional');
    return {
      write: body.add,
      // A copy: the bytes of the next part take the place of these.
      end: () => ({ ...head, bytes: new Uint8Array(body.complete(Buffer.of())) }),
    };
  });
  return {
    get pendingBytes() {
      return splitter.pendingBytes + body.size;
    },
    read: splitter.read,
    end: splitter.end,
  };
};

const compileItemReader = (parts: PartList, limits: ItemLimits, tools: SchemaContext) => {
  const readerAt = partReaders(parts, limits, tools);
  return (type: ParsedMediaType): ItemReader => {
    const splitter = itemSplitter(type, limits.itemBytes);
    let count = 0;
    return {
      get pendingBytes() {
        return splitter.pendingBytes;
      },
      *read(bytes) {
        for (const part of splitter.read(bytes)) {
          yield readerAt(count)(part);
          count += 1;
        }
      },
      *end() {
        yield* splitter.end();
      },
    };
  };
};

/** Reads a whole content; the path of an error is that in the list. */
type ReadWhole = (bytes: Uint8Array, type: ParsedMediaType) => unknown[];

const wholeReader = (parts: PartList, limits: ItemLimits, tools: SchemaContext): ReadWhole => {
  const readerAt = partReaders(parts, limits, tools);
  return (bytes, type) => {
    const splitter = itemSplitter(type, limits.itemBytes);
    const items: unknown[] = [];
    for (const part of splitter.read(bytes)) {
      const index = items.length;
      if (index === mostParts) throw malformedBody(`it has more than ${mostParts} parts`);
      items.push(decodeAt(pointerTo('', index), () => readerAt(index)(part)));
    }
    splitter.end();
    return items;
  };
};

/** Makes the function that chooses the media type of a part: the one that `describePart` gives, else the first that suits. */
const typeChooser = (shape: Shape, encoding: Encoding | undefined, tools: SchemaContext) => {
  const { takes, expected } = partContentType(shape, encoding, tools.codecs);
  const ofKind = (value: unknown): string => {
    if (shape.type !== 'any') return defaultTypeOf(shape);
    if (value instanceof Uint8Array) return 'application/octet-stream';
    return typeof value === 'object' && !isNumeric(value) ? 'application/json' : 'text/plain';
  };
  const concrete = declaredTypes(encoding)?.filter((type) => !type.includes('*'));
  /** Bytes are written in a type of bytes, others in one of texts. */
  const suits = (type: string, value: unknown): boolean => {
    const isText = codecOf(type, shape, tools) !== undefined || isTextType(type);
    if (value instanceof Uint8Array) return !isText;
    return typeof value === 'string' || isText || (Array.isArray(value) && isMultipart(type));
  };
  const suiting = (value: unknown): string | undefined =>
    concrete?.length === 1 ? concrete[0] : concrete?.find((type) => suits(type, value));
  return (value: unknown, described: string | undefined): string => {
    if (described !== undefined) {
      const type = parseMediaType(described);
      if (type !== undefined && takes(type)) return described;
      throw new Error(`The part must be sent as ${expected}, not as ${described}`);
    }
    const found = concrete === undefined ? ofKind(value) : suiting(value);
    if (found !== undefined) return found;
    throw new Error(`The media type of the part must be said by describePart: ${expected}`);
  };
};

interface WrittenPart {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Characters that end a line or a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

const partWriter = (shape: Shape, encoding: Encoding | undefined, tools: SchemaContext) => {
  const typeFor = typeChooser(shape, encoding, tools);
  const check = partHeadersCheck(encoding, tools, () => '');
  const inner = nestedParts(shape, encoding);
  const writeInner =
    inner && memoize((type: string) => compileItemWriter(inner, type, tools), { max: 16 });
  const writerOf = memoize(
    (type: string) => tools.codecs.contentCodec(type, shape)?.writer(shape, 'response'),
    { max: 16 },
  );
  const bodyOf = (value: unknown, type: string): Pick<WrittenPart, 'type' | 'body'> => {
    if (isMultipart(type) && writeInner && Array.isArray(value)) {
      const { open, write, close, contentType } = writeInner(type)();
      const pieces = [open, ...value.map((item) => write(item)), close];
      const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
      return { type: contentType, body: bytes };
    }
    const write = writerOf(type);
    if (write !== undefined && !(value instanceof Uint8Array && shape.type === 'any')) {
      return { type, body: write(value) };
    }
    if (typeof value === 'string' || value instanceof Uint8Array) return { type, body: value };
    throw new Error(`A part of ${type} must be text or bytes`);
  };
  return (value: unknown): WrittenPart => {
    const info = typeof value === 'object' && value !== null ? infoOfValues.get(value) : undefined;
    const { mediaType, headers = {} } = info ?? {};
    const { type, body } = bodyOf(value, typeFor(value, mediaType));
    const encodes =
      shape.contentEncoding === undefined
        ? {}
        : { 'Content-Transfer-Encoding': shape.contentEncoding };
    const all = { ...encodes, ...headers };
    const lower = Object.entries(all).map(([name, text]) => [name.toLowerCase(), text]);
    check({ name: '', fileName: undefined, type: undefined, headers: Object.fromEntries(lower) });
    return { type, headers: all, body };
  };
};

const headOf = ({ type, headers, body }: WrittenPart): string => {
  const hasCharset = !/^text\//i.test(type) || /;\s*charset=/i.test(type);
  const named = hasCharset ? type : `${type}; charset=utf-8`;
  const lines = Object.entries({
    'Content-Type': typeof body === 'string' ? inUtf8(named) : named,
    ...headers,
  });
  for (const [name, text] of lines) {
    if (CONTROL.test(name + text) || /[^\w!#$%&'*+.^`|~-]/.test(name)) {
      throw new Error(`The header ${JSON.stringify(name)} of a part cannot be sent`);
    }
  }
  return lines.map(([name, text]) => `${name}: ${text}\r\n`).join('');
};

/** Compiles the writer of a content; each item ends by the next boundary, so that a reader has it at once. */
const compileItemWriter = (parts: PartList, mediaType: string, tools: SchemaContext) => {
  const writerAt = byPosition(parts, tools, (shape, encoding) =>
    partWriter(shape, encoding, tools),
  );
  const ownBoundary = parseMediaType(mediaType)?.parameters['boundary'];
  return (): ItemWriter & { readonly contentType: string } => {
    const boundary = ownBoundary ?? randomBytes(18).toString('hex');
    const delimiter = `--${boundary}`;
    let count = 0;
    return {
      contentType: ownBoundary === undefined ? `${mediaType}; boundary=${boundary}` : mediaType,
      open: delimiter,
      write(item) {
        const part = writerAt(count)(item);
        count += 1;
        const body = Buffer.from(part.body as string);
        // Who reads the stream knows the boundary, and may give what is written later.
        if (body.includes(delimiter)) throw new Error('The part holds the boundary of its content');
        const [before, behind] = [`\r\n${headOf(part)}\r\n`, `\r\n${delimiter}`];
        return typeof part.body === 'string'
          ? before + part.body + behind
          : Buffer.concat([Buffer.from(before), body, Buffer.from(behind)]);
      },
      close: '--\r\n',
    };
  };
};

/** Multipart contents. The first media type of an Encoding Object that suits a value is its part's, unless `describePart` says one. */
export const multipartSequence = {
  name: 'multipart',
  compileReader: (content: MediaType, limits: ItemLimits, tools: SchemaContext) =>
    compileItemReader(partListOf(content, tools), limits, tools),
  compileWriter(content: MediaType, tools: SchemaContext) {
    return compileItemWriter(partListOf(content, tools), concreteMediaType(content.key), tools);
  },
};

/** A content of which some fields may not be known. */
export type PartialContent = Pick<MediaType, 'key' | 'schema'> & Partial<MediaType>;

/**
 * Tells whether the parts of a content are the items of a list, and not the properties of an object.
 * @example if (isPositional(content, tools.shapeOf)) return { status: 200, body: [text, image] };
 */
export const isPositional = (
  { key, schema, itemSchema, prefixEncoding = [], itemEncoding }: PartialContent,
  shapeOf: ShapeOf,
): boolean => {
  if (!isMultipart(key)) return false;
  if ((itemSchema ?? itemEncoding ?? prefixEncoding[0]) !== undefined) return true;
  return !/form-data/i.test(key) && schema !== undefined && shapeOf(schema).type === 'array';
};

/** Compiles the reader of a multipart content whose parts are the items of a list. */
export const positionalReader = (
  content: MediaType,
  limits: ItemLimits,
  tools: SchemaContext,
): ReadWhole => wholeReader(partListOf(content, tools), limits, tools);
