/** Writes request bodies in the media types that a document may declare. */

import { createHash } from 'node:crypto';
import { writeJson } from '../base/json/write-json';
import { concreteMediaType, isRange, isTextType } from '../base/media-type';
import { isPlainObject } from '../base/plain-object';
import type { Codec, SchemaContext } from '../engine';
import type { Encoding, MediaType } from '../model/operation';
import { anySchema } from '../model/schema';
import { writeScalar } from '../schema/scalars';
import type { Shape } from '../schema/shape';
import {
  encode,
  isStructured,
  isStyled,
  membersOf,
  valueText,
  writeField,
} from '../schema/write-pairs';
import { listFormat, valueSchema, writeItemList } from './item-contents';
import type { BodyCase } from './request-case';

/** A body and its Content-Type. */
export interface EncodedBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The shape of what a media type carries. */
export const shapeOfContent = (content: MediaType, tools: SchemaContext): Shape =>
  tools.shapeOf(valueSchema(content) ?? anySchema);

/** A file with the name and the media type that it is sent with; undefined: those of any file, and those that are declared. */
export class FileToSend {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
  readonly mediaType: string | undefined;

  constructor(bytes: Uint8Array, name?: string, mediaType?: string) {
    this.bytes = bytes;
    this.name = name;
    this.mediaType = mediaType;
  }
}

interface FormPart {
  readonly name: string;
  readonly type: string;
  /** Undefined where the type has no writer. */
  readonly content: string | Uint8Array | undefined;
  /** Undefined of a part that is no file. */
  readonly filename?: string;
}

const formPart = (name: string, value: unknown, declared: string | undefined): FormPart => {
  if (value instanceof Uint8Array) return formPart(name, new FileToSend(value), declared);
  if (value instanceof FileToSend) {
    const type = value.mediaType ?? declared ?? 'application/octet-stream';
    return { name, type, content: value.bytes, filename: value.name ?? 'file.bin' };
  }
  const type = declared ?? (isStructured(value) ? 'application/json' : 'text/plain');
  const isJson = isTextType(type) || !isStructured(value);
  return { name, type, content: isJson ? valueText(value) : undefined };
};

/** Returns the first concrete type of an Encoding Object, or else one within its first range. */
const declaredType = (encoding: Encoding | undefined): string | undefined => {
  const listed = isStyled(encoding) ? undefined : encoding?.contentType;
  const types = listed?.split(',').map((type) => type.trim()) ?? [];
  const chosen = types.find((type) => !isRange(type)) ?? types.find((type) => type !== '*/*');
  return chosen && concreteMediaType(chosen);
};

/** One part for each pair in a style, which is not percent-encoded here; else for each property, or item of a list. */
const formParts = (
  name: string,
  member: unknown,
  encoding: Encoding | undefined,
  writerIn: (name: string, ofItems?: boolean) => ReturnType<Codec['writer']> | undefined,
): FormPart[] => {
  const items = Array.isArray(member) ? member : [member];
  const isFile = (item: unknown) => item instanceof FileToSend || item instanceof Uint8Array;
  if (encoding && isStyled(encoding) && !items.some(isFile)) {
    // A comma divides a list in a part, whose text is not percent-encoded.
    const write = (value: unknown) => encode(value).replaceAll('%2C', ',');
    const pairs = writeField(name, member, encoding, write);
    return pairs.map((pair) => {
      const [key = '', text = ''] = pair.split('=').map(decodeURIComponent);
      return formPart(key, text, undefined);
    });
  }
  const type = declaredType(encoding);
  const write = writerIn(name, Array.isArray(member));
  // A format of lists has one part for all items.
  const whole = write ?? writerIn(name);
  if (write === undefined && whole !== undefined) return [formPart(name, whole(member), type)];
  return items.map((item) =>
    formPart(name, item instanceof FileToSend ? item : (write?.(item) ?? item), type),
  );
};

/**
 * Writes a form in parts; undefined where one of them would have parts or headers of its own, or no codec (OAS 3.2.0, Encoding
 * Object).
 */
const writeMultipart = (
  { value, content, mediaType }: BodyCase,
  tools: SchemaContext,
): EncodedBody | undefined => {
  if (!isPlainObject(value)) return undefined;
  const { properties } = shapeOfContent(content, tools);
  /** Compiles the writer of a field, or of its items, in the format of its Encoding Object; undefined where that has none. */
  const writerIn = (name: string, ofItems = false) => {
    const type = declaredType(content.encoding[name]);
    const field = properties.get(name);
    const written = ofItems ? field?.items : field;
    if (type === undefined || written === undefined) return undefined;
    return tools.codecs.contentCodec(type, written)?.writer(written, 'request');
  };
  const parts = membersOf(value).flatMap(([name, member]) =>
    formParts(name, member, content.encoding[name], writerIn),
  );
  const needsHeaders = Object.values(content.encoding).some(({ headers }) =>
    headers.some(({ required }) => required),
  );
  const isUnwritten = parts.some(
    (part) => part.content === undefined || part.type.startsWith('multipart/'),
  );
  if (needsHeaders || isUnwritten) return undefined;
  // As browsers write names (HTML Standard, multipart/form-data).
  const quoted = (text: string): string =>
    `"${text.replaceAll(/["\r\n]/g, (character) => encodeURIComponent(character))}"`;
  // The same for the same parts, and in none of them.
  const hash = createHash('sha256');
  for (const { content = '' } of parts) hash.update(content);
  const boundary = `boundary-${hash.digest('hex').slice(0, 40)}`;
  const chunks = parts.flatMap(({ name, type, content = '', filename }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}${filename === undefined ? '' : `; filename=${quoted(filename)}`}\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { bytes, contentType: `${mediaType}; boundary=${boundary}` };
};

/** Writes a body; undefined where the media type cannot carry the value. */
export const encodeBody = (body: BodyCase, tools: SchemaContext): EncodedBody | undefined => {
  const { content, mediaType, value } = body;
  const format = listFormat(content, tools);
  if (format !== undefined) return writeItemList(format, body, tools);
  if (mediaType.startsWith('multipart/')) return writeMultipart(body, tools);
  const shape = shapeOfContent(content, tools);
  const codec = tools.codecs.contentCodec(mediaType, shape);
  if (codec === undefined) {
    if (value instanceof Uint8Array) return { bytes: value, contentType: mediaType };
    if (value instanceof FileToSend) {
      return { bytes: value.bytes, contentType: value.mediaType ?? mediaType };
    }
    if (isStructured(value)) return undefined;
    return { bytes: Buffer.from(writeScalar(value)), contentType: mediaType };
  }
  if (codec.name === 'form' && !isPlainObject(value)) return undefined;
  // JSON is also written of what its schema does not allow.
  const write =
    codec.name === 'json' ? writeJson : codec.writer(shape, 'request', content.encoding);
  return { bytes: Buffer.from(write(value)), contentType: mediaType };
};
