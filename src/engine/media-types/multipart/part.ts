/** One part of a multipart body: its headers (RFC 7578 section 4), its bounds and its media type (OAS 3.0.3, Encoding Object). */

import { parse as parseDisposition } from 'content-disposition';
import { MalformedText } from '../../../base/malformed-text';
import { mediaTypeMatcher, type ParsedMediaType, parseMediaType } from '../../http/media-type';
import type { Shape } from '../../schema/shape';
import { decodeStrictly, findForbiddenCharacter } from '../codec/codec';
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

const malformed = (reason: string): MalformedText =>
  new MalformedText(`The multipart body is malformed: ${reason}`);

// RFC 9110 section 5.6.2.
const token = /^[!#$%&'*+.^_`|~\da-z-]+$/;

// Colon and line end.
const bytesAround = 3;

// RFC 2045 section 6: these leave the bytes as they are; form-data has no use for others (RFC 7578 section 4.7).
const plainEncodings = new Set(['7bit', '8bit', 'binary']);

// A part that says one of these twice could be read in two ways.
const singular = new Set(['content-disposition', 'content-type', 'content-transfer-encoding']);

/** Header values as the parser gives them. It reads no further than a line that is no header, and does not tell of it. */
const textsOf = (values: unknown): string[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];

const decodeValue = (raw: string): string => {
  const text = decodeStrictly(Buffer.from(raw, 'latin1'), 'utf-8');
  if (findForbiddenCharacter(text) !== undefined) throw malformed('a header holds U+0000');
  return text.trim();
};

const joinValues = (name: string, raws: readonly string[]): string => {
  if (!token.test(name)) throw malformed('a header has no legal name');
  if (raws.length > 1 && singular.has(name)) throw malformed(`${name} stands twice in one part`);
  return raws.map(decodeValue).join(', ');
};

const headersOf = (raw: object): Record<string, string> => {
  const entries = Object.entries(raw).map(([name, values]) => [name, textsOf(values)] as const);
  const lines = entries.flatMap(([name, values]) =>
    values.map((value) => name.length + value.length + bytesAround),
  );
  if (lines.length > mostHeaders) throw malformed('a part has too many headers');
  if (lines.reduce((sum, length) => sum + length, 0) > mostHeaderBytes) {
    throw malformed('the headers of a part are too large');
  }
  const headers: Record<string, string> = Object.create(null);
  for (const [name, values] of entries) headers[name] = joinValues(name, values);
  return headers;
};

const typeOf = (header: string | undefined): PartHead['type'] => {
  if (header === undefined || header === '') return undefined;
  const type = parseMediaType(header);
  if (type === undefined) throw malformed('the Content-Type of a part is none');
  return type;
};

/**
 * Reads a part's headers. Names and file names are UTF-8, escaped as browsers do it, or given by `filename*`.
 * @param raw lower-case names to lists of values, a character for each byte
 * @param isForm whether the body is form-data, whose parts all say so
 * @throws MalformedText
 */
export const readPartHead = (raw: object, isForm: boolean): PartHead => {
  const headers = headersOf(raw);
  const { type, parameters } = parseDisposition(headers['content-disposition'] ?? '', {
    multipart: true,
  });
  const name = parameters['name'];
  if (name === undefined || (isForm && type !== 'form-data')) {
    throw malformed('a part has no Content-Disposition with a name');
  }
  const encoding = headers['content-transfer-encoding']?.toLowerCase() ?? 'binary';
  if (!plainEncodings.has(encoding)) {
    throw malformed('a part has a Content-Transfer-Encoding that is not supported');
  }
  return { name, fileName: parameters['filename'], type: typeOf(headers['content-type']), headers };
};
