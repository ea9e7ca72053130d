/** The parts of a multipart body: their headers (RFC 7578 section 4), and the parts that each property of a schema takes (OAS 3.0.3, Encoding Object). */

import { parse as parseDisposition } from 'content-disposition';
import { pointerTo } from '../../../base/json-pointer';
import { MalformedText } from '../../../base/malformed-text';
import { mediaTypeMatcher, type ParsedMediaType, parseMediaType } from '../../../base/media-type';
import { memoize } from '../../../base/memoize';
import { findForbiddenCharacter } from '../../../base/read-limits';
import { suggestion } from '../../../base/text/nearest-name';
import type { Encoding } from '../../../model/operation';
import { compileUndeclared } from '../../../schema/compile-per-shape';
import { itemShapes, memberShape, type Shape } from '../../../schema/shape';
import { isStyled } from '../../../schema/write-pairs';
import { compileParameterCheck } from '../../parameters/parameters';
import { decodeStrictly, type Encodings } from '../codec/codec';
import type { Codecs } from '../codecs';
import { stepsOf } from '../forms/form-fields';
import type { SchemaContext } from '../schema-context';

/** The head of a part. */
export interface PartHead {
  /** Empty for a part by its position. */
  readonly name: string;
  /** Undefined: the part is not a file. */
  readonly fileName: string | undefined;
  /** Undefined: the part has no Content-Type. */
  readonly type: ParsedMediaType | undefined;
  /** Lower-case names; of a repeated header all values, joined by commas. No prototype. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A part, whole. */
export interface Part extends PartHead {
  readonly bytes: Uint8Array;
}

/** Lower-case names to lists of values, a character for each byte. No prototype. */
export type RawHeaders = Record<string, string[]>;

/** Parts of one body, with those that are skipped. */
export const mostParts = 1000;

/** Headers of one part. */
export const mostHeaders = 32;

/** Bytes of the headers of one part, with line ends. */
export const mostHeaderBytes = 8 * 1024;

/** RFC 2046 section 5.1.1. */
export const longestBoundary = 70;

/** Tells whether a part may hold bytes: by the shape itself, its items, or one of its alternatives. */
export const mayBeBytes = (shape: Shape, seen = new Set<Shape>()): boolean => {
  if (seen.has(shape)) return false;
  seen.add(shape);
  return (
    shape.isBinary ||
    (shape.type === 'array' && itemShapes(shape).some((item) => mayBeBytes(item, seen))) ||
    shape.alternatives.some((alternative) => mayBeBytes(alternative.shape, seen))
  );
};

const byteStream = 'application/octet-stream';

/** Lists the shapes that one part may have: the parts of an array are its items. */
const partShapes = (shape: Shape): readonly Shape[] => {
  const items = shape.type === 'array' ? itemShapes(shape) : [];
  return items.length > 0 ? items : [shape];
};

/** Returns the default media type by the kind of value. */
export const defaultTypeOf = (part: Shape): string => {
  if (part.isBinary) return byteStream;
  return part.type === 'object' || part.type === 'array' ? 'application/json' : 'text/plain';
};

/** Tells whether a part may have a media type by default. Clients label text and JSON as either, whatever the value. */
const takesByDefault = (part: Shape, essence: string, codecs: Codecs): boolean => {
  if (part.type === 'any' || part.isBinary) return true;
  if (part.contentEncoding !== undefined && essence === byteStream) return true;
  const codec = codecs.codecFor(essence)?.name;
  return codec === 'json' || codec === 'text' || (codec === undefined && /^text\//.test(essence));
};

/** Lists the types and ranges of `contentType`; undefined where a style is given, or none (OAS 3.1.2, Encoding Object). */
export const declaredTypes = (encoding: Encoding | undefined): readonly string[] | undefined =>
  isStyled(encoding) || typeof encoding?.contentType !== 'string'
    ? undefined
    : encoding.contentType.split(',').map((key) => key.trim());

/** Returns the media types of one property's parts, and them in words: by `contentType`, or else by the kind of value. */
export const partContentType = (shape: Shape, encoding: Encoding | undefined, codecs: Codecs) => {
  const ranges = declaredTypes(encoding)?.map((key) => ({ key }));
  if (ranges === undefined) {
    const parts = partShapes(shape);
    return {
      expected: [...new Set(parts.map(defaultTypeOf))].join(' or '),
      takes: ({ essence }: ParsedMediaType) =>
        parts.some((part) => takesByDefault(part, essence, codecs)),
    };
  }
  const match = mediaTypeMatcher(ranges);
  return {
    expected: ranges.map(({ key }) => key).join(', '),
    takes: (type: ParsedMediaType) => match(type) !== undefined,
  };
};

/** Makes the error of a malformed body. */
export const malformedBody = (reason: string): MalformedText =>
  new MalformedText(`The multipart body is malformed: ${reason}`);

// RFC 2045 section 6: these leave the bytes as they are; form-data has no use for others (RFC 7578 section 4.7).
const plainEncodings = new Set(['7bit', '8bit', 'binary']);

// A part that says one of these twice could be read in two ways.
const singular = new Set(['content-disposition', 'content-type', 'content-transfer-encoding']);

const headersOf = (raw: RawHeaders): Record<string, string> => {
  const entries = Object.entries(raw);
  // Colon and line end.
  const bytesAround = 3;
  const lines = entries.flatMap(([name, values]) =>
    values.map((value) => name.length + value.length + bytesAround),
  );
  if (lines.length > mostHeaders) throw malformedBody('a part has too many headers');
  if (lines.reduce((sum, length) => sum + length, 0) > mostHeaderBytes) {
    throw malformedBody('the headers of a part are too large');
  }
  const headers: Record<string, string> = Object.create(null);
  for (const [name, values] of entries) {
    // RFC 9110 section 5.6.2.
    if (!/^[!#$%&'*+.^_`|~\da-z-]+$/.test(name)) {
      throw malformedBody('a header has no legal name');
    }
    if (values.length > 1 && singular.has(name)) {
      throw malformedBody(`${name} is given twice in one part`);
    }
    const texts = values.map((value) => {
      const text = decodeStrictly(Buffer.from(value, 'latin1'), 'utf-8');
      if (findForbiddenCharacter(text) !== undefined) throw malformedBody('a header holds U+0000');
      return text.trim();
    });
    headers[name] = texts.join(', ');
  }
  return headers;
};

/**
 * Reads a part's headers. Names and file names are UTF-8, escaped as browsers do it, or given by `filename*`.
 * @param kind form-data, whose parts all say so; other types whose parts have names; those whose parts have positions
 * @throws MalformedText
 */
export const readPartHead = (raw: RawHeaders, kind: 'form' | 'named' | 'positional'): PartHead => {
  const headers = headersOf(raw);
  const { type, parameters } = parseDisposition(headers['content-disposition'] ?? '', {
    multipart: true,
  });
  const name = kind === 'positional' ? '' : parameters['name'];
  if (name === undefined || (kind === 'form' && type !== 'form-data')) {
    throw malformedBody('a part has no Content-Disposition with a name');
  }
  const contentType = headers['content-type'] || undefined;
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType);
  if (contentType !== undefined && mediaType === undefined) {
    throw malformedBody('a part has an invalid Content-Type');
  }
  return { name, fileName: parameters['filename'], type: mediaType, headers };
};

type PathOf = (head: PartHead) => string;

/**
 * Compiles the check that throws MalformedText, at the part's pointer, if a header is missing or does not fit. Content-Type is
 * left to `contentType`; headers that are not declared are allowed.
 */
export const partHeadersCheck = (
  encoding: Encoding | undefined,
  tools: SchemaContext,
  pathOf: PathOf,
): ((head: PartHead) => void) => {
  const parameters = encoding?.headers ?? [];
  if (parameters.length === 0) return () => undefined;
  const read = compileParameterCheck(parameters, tools);
  return (head) => {
    const [error] = read({ path: {}, query: '', headers: head.headers }).errors;
    if (error === undefined) return;
    throw new MalformedText(`The part's header ${error.path} ${error.message}`, pathOf(head));
  };
};

/** Throws MalformedText if the bytes are encoded, and not as `contentEncoding` has it (OAS 3.1.2, Encoding multipart Media Types). */
const checkTransferEncoding = (
  { headers }: PartHead,
  allowed: readonly (string | undefined)[],
): void => {
  const encoding = headers['content-transfer-encoding']?.toLowerCase() ?? 'binary';
  if (plainEncodings.has(encoding) || allowed.includes(encoding)) return;
  throw malformedBody('a part has a Content-Transfer-Encoding that is not supported');
};

/** The use of a part: read as a value, kept as bytes, or skipped. */
type PartUse = 'text' | 'bytes' | 'skipped';

/** Decides about a part at its head; throws MalformedText if the document does not allow it. */
export type UseOf = (head: PartHead) => PartUse;

/** Returns the Encoding Object of a property. */
export const encodingOf = (encodings: Encodings, name: string): Encoding | undefined =>
  Object.hasOwn(encodings, name) ? encodings[name] : undefined;

/** Returns the media type of a property's parts that name none; undefined where the kind of value decides. */
export const fallbackTypeOf = (encoding: Encoding | undefined): string | undefined =>
  declaredTypes(encoding)
    ?.map((key) => parseMediaType(key)?.essence)
    .find((essence) => essence !== undefined && !essence.includes('*'));

/** Compiles the use of parts that a schema and an Encoding Object describe. */
export const declaredUse = (
  shape: Shape,
  encoding: Encoding | undefined,
  tools: SchemaContext,
  pathOf: PathOf = ({ name }) => pointerTo('', name),
): UseOf => {
  // Read-only properties are not the client's to send (OAS 3.0.3, Schema Object).
  if (shape.readOnly) return () => 'skipped';
  const { takes, expected } = partContentType(shape, encoding, tools.codecs);
  const encodedAs = partShapes(shape).map(({ contentEncoding }) => contentEncoding?.toLowerCase());
  const checkHeaders = partHeadersCheck(encoding, tools, pathOf);
  const use: PartUse = mayBeBytes(shape) ? 'bytes' : 'text';
  return (head) => {
    if (head.type !== undefined && !takes(head.type)) {
      throw new MalformedText(`The part must be sent as ${expected}`, pathOf(head));
    }
    checkHeaders(head);
    checkTransferEncoding(head, encodedAs);
    return use;
  };
};

/** Decides about undeclared parts: fields are kept as those of other forms are, files are skipped to save memory. */
const undeclaredUse =
  ({ additional, properties }: Shape, codecs: Codecs): UseOf =>
  (head) => {
    checkTransferEncoding(head, []);
    const { name, fileName, type } = head;
    const isText =
      type === undefined ||
      type.essence.startsWith('text/') ||
      codecs.codecFor(type.essence)?.name === 'json';
    if (fileName === undefined && isText) return 'text';
    if (additional !== false) return 'skipped';
    const advice = suggestion(name, [...properties.keys()]);
    throw new MalformedText(`The body has no file of this name${advice}`, pointerTo('', name));
  };

/** Returns the property that a part belongs to, as in other forms: `list[]` and `list[0]` are of `list`, unless one is called so. */
export const propertyOf = (shape: Shape, name: string): string => {
  const [root = name] = shape.properties.has(name) ? [] : stepsOf(name);
  return shape.additional === false && memberShape(shape, root) === undefined ? name : root;
};

/** Compiles the use of each part of a body. Encoding Objects of undeclared properties are ignored. */
export const useByName = (shape: Shape, encodings: Encodings, tools: SchemaContext): UseOf => {
  const { properties } = shape;
  const useOf = memoize((inner: Shape): UseOf => declaredUse(inner, undefined, tools));
  const uses = new Map(
    [...properties].map(([name, property]) => [
      name,
      declaredUse(property, encodingOf(encodings, name), tools, () => pointerTo('', name)),
    ]),
  );
  const undeclared = compileUndeclared(shape, useOf, undeclaredUse(shape, tools.codecs));
  return (head) => {
    const name = propertyOf(shape, head.name);
    const brackets = head.name.slice(name.length);
    const member = brackets === '' ? undefined : memberShape(shape, name);
    const isItem = /^\[\d{0,9}\]$/.test(brackets) && member && itemShapes(member).length > 0;
    if (member !== undefined && mayBeBytes(member) && !isItem) {
      throw new MalformedText('The body has no file of this name', pointerTo('', name));
    }
    return (uses.get(name) ?? undeclared(name))(head);
  };
};
